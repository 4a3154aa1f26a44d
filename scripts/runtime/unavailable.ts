/** The one expected failure of the scripts: this machine cannot provide a part of the runtime. */

/** Thrown if a part is unavailable. `message` says what is missing and what to do, without a stack. */
export class Unavailable extends Error {
  /** The name that users see: Build, Electron, Display, Secret Service. */
  readonly part: string

  constructor(part: string, message: string) {
    super(message)
    this.name = 'Unavailable'
    this.part = part
  }
}

/** Runs a script's main function. Its number is the exit code; an unavailable part is reported by name. */
export async function runScript(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.error(`${error.part}: ${error.message}`)
    process.exitCode = 1
  }
}

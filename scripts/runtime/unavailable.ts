/** The one expected failure of the scripts: a part of the runtime that this machine cannot give. */

/** Thrown when a part cannot be had; `message` says what is missing and what to do, without a stack. */
export class Unavailable extends Error {
  /** As it is named to the user: Build, Electron, Display, Secret Service. */
  readonly part: string

  constructor(part: string, message: string) {
    super(message)
    this.name = 'Unavailable'
    this.part = part
  }
}

/** Runs a script's main function: its number is the exit code, a missing part is reported by name. */
export async function runScript(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.error(`${error.part}: ${error.message}`)
    process.exitCode = 1
  }
}

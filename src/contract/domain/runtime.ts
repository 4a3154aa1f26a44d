/** What the app runs on. */
export interface Runtime {
  readonly electron: string
  readonly chromium: string
  readonly node: string
  /** Not a packaged app: whoever may start programs here may also change what it does (docs/runtime.md, Fuses). */
  readonly isDevelopment: boolean
  /** Nobody mends faults of this Electron any more. */
  readonly hasEnded: boolean
}

const line = (version: string): number => Number.parseInt(version.replace(/^\D*/, ''), 10)

/**
 * Whether the line of a running Electron has ended, going by the version that Galley is built for: Electron mends its
 * three newest lines. It takes no clock, and errs on the side of silence once Galley itself is old.
 */
export const hasEnded = (running: string, builtFor: string): boolean => line(running) <= line(builtFor) - 3

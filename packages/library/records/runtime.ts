/** The runtime of the app. */
export interface Runtime {
  readonly electron: string
  readonly chromium: string
  readonly node: string
  /**
   * True if the app is not packaged: then anyone who can start programs can also change the app (docs/runtime.md, Fuses).
   */
  readonly isDevelopment: boolean
  /** This Electron version no longer gets security fixes. */
  readonly isUnsupported: boolean
}

const line = (version: string): number => Number.parseInt(version.replace(/^\D*/, ''), 10)

/**
 * Whether the running Electron version is no longer supported, judged by the version that Galley is built for: Electron
 * supports its three latest major versions. Does not use a clock, so an old Galley may miss it.
 */
export const isUnsupported = (running: string, builtFor: string): boolean => line(running) <= line(builtFor) - 3

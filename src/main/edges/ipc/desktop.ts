import type { system } from '../../../texts/en/system.ts'

/** What a dialog of the system asks for, which its title says. */
export type Choice = keyof (typeof system)['choosing']

/** A dialog of the system with two ways to answer. */
export interface Told {
  readonly message: string
  readonly detail: string
  readonly ways: readonly [string, string]
}

/** What handlers ask of the desktop; Electron's side of it is `main/edges/shell/desktop.ts`. Paths are absolute. */
export interface Desktop {
  /** Rejects when no browser starts, and for an address that `isOpenableEditorUrl` refuses. */
  openInBrowser(url: string): Promise<void>
  /** Asks for a file that is there; null: nothing chosen. */
  chooseFile(what: Choice, wish: { readonly extensions: readonly string[] }): Promise<string | null>
  /** Asks for a file to write. */
  chooseNewFile(
    what: Choice,
    wish: { readonly name: string; readonly extensions: readonly string[] },
  ): Promise<string | null>
  /** Asks for a folder, which may be made there and then. */
  chooseFolder(what: Choice): Promise<string | null>
  /** Says what is wrong before there is a window that could; false for the second way. */
  warn(told: Told): Promise<boolean>
  /** Asks before something that only a person may decide. The return key, Escape and closing all mean the second way: false. */
  ask(told: Told): Promise<boolean>
  copyText(text: string): Promise<void>
  showInFolder(path: string): void
  setStartAtLogin(isWanted: boolean): Promise<void>
  /** Starts the app again, on the library that was chosen meanwhile. */
  relaunch(): void
}

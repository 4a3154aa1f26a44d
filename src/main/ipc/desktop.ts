import type { system } from '../../texts/en/system.ts'

/** The request of a system dialog, shown in its title. */
export type Choice = keyof (typeof system)['choosing']

/** A system dialog with two buttons. */
export interface DialogText {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly [string, string]
}

/** The desktop functions for handlers. `src/main/shell/desktop.ts` implements them with Electron. Paths are absolute. */
export interface Desktop {
  /** Rejects if no browser starts, and for URLs that `isOpenableEditorUrl` refuses. */
  openInBrowser(url: string): Promise<void>
  /** Opens a draft in the mail program. Rejects if there is none, and for other URLs. */
  openMail(url: string): Promise<void>
  /** Asks for an existing file; null if the person cancels. */
  chooseFile(what: Choice, options: { readonly extensions: readonly string[] }): Promise<string | null>
  /** Asks for a file to write. */
  chooseNewFile(
    what: Choice,
    options: { readonly name: string; readonly extensions: readonly string[] },
  ): Promise<string | null>
  /** Asks for a folder. The dialog can create one. */
  chooseFolder(what: Choice): Promise<string | null>
  /** Shows an error before a window can. Returns false for the second button. */
  warn(dialog: DialogText): Promise<boolean>
  /** Asks for a decision that only a person may make. Enter, Escape and closing choose the second button: false. */
  ask(dialog: DialogText): Promise<boolean>
  copyText(text: string): Promise<void>
  showInFolder(path: string): void
  setStartAtLogin(isWanted: boolean): Promise<void>
  /** Restarts the app with the chosen library. */
  relaunch(): void
}

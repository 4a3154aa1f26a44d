import type { CommandId } from '../domain/shortcuts.ts'

/** What the menu of the application, the tray or a notification asks the window to do. */
export interface ShellEvents {
  command: { readonly id: CommandId }
  /** A notification was clicked: the window shows what it told of. */
  show: { readonly site: string; readonly callbackId: string }
  /** A review leads on into the editor. */
  edit: { readonly site: string; readonly materialId: string }
}

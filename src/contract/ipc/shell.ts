import type { CommandId } from '../domain/shortcuts.ts'

/** Requests from the application menu, the tray or a notification to the window. */
export interface ShellEvents {
  command: { readonly id: CommandId }
  /** Shows the callback of a notification that was clicked. */
  show: { readonly site: string; readonly callbackId: string }
  /** Opens the editor from a review window. */
  edit: { readonly site: string; readonly materialId: string }
}

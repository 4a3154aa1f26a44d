import type { CommandId } from '@galley/library/records'
import type { CallbackId, MaterialId, SiteId } from '@galley/wire'

/** Requests from the application menu, the tray or a notification to the window. */
export interface ShellEvents {
  command: { readonly id: CommandId }
  /** Shows the callback of a notification that was clicked. */
  show: { readonly site: SiteId; readonly callbackId: CallbackId }
  /** Opens the editor from a review window. */
  edit: { readonly site: SiteId; readonly materialId: MaterialId }
}

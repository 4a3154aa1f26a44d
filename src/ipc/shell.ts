import type { CommandId } from '@galley/library/records'
import type { CallbackId, MaterialId, SiteId, VersionId } from '@galley/wire'

import { asks, inSite } from './call.ts'

export const shellCalls = {
  /** The window shows this site now: the tray, the dock and the jump list offer the last ones. */
  siteShown: asks(inSite).gives<null>(),
}

/** What the window can show: a callback, or a site with one of its materials and a version of it. */
export type ShownItem =
  | { readonly site: SiteId; readonly callbackId: CallbackId }
  | { readonly site: SiteId; readonly materialId: MaterialId | null; readonly versionId: VersionId | null }

/** Requests from the application menu, the tray, a notification or a link to the window. */
export interface ShellEvents {
  command: { readonly id: CommandId }
  /** Shows the callback of a notification that was clicked, or what a link names, and says what of it is not there. */
  show: {
    readonly item: ShownItem | null
    readonly missing: 'link' | 'site' | 'material' | 'version' | 'callback' | null
  }
  /** Opens the editor from a review window. */
  edit: { readonly site: SiteId; readonly materialId: MaterialId }
  /** Exports a version from a review window. */
  exportVersion: { readonly site: SiteId; readonly materialId: MaterialId; readonly versionId: VersionId }
}

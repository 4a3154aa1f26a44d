import type { VersionRow, WantedVerdict } from '@galley/library/records'
import type { CallbackId, VersionId } from '@galley/wire'

import type { MarksToSet } from '../../../ipc/fields.ts'

/** Actions on a version; the provider reports their failures. */
export interface VersionHandlers {
  /** Resolves to whether the marks were saved. */
  readonly mark: (version: VersionRow, marks: MarksToSet) => Promise<boolean>
  /** Opens a review window, with another version beside it if given. */
  readonly review: (versionId: VersionId, compareWith: string | null) => void
  /** Starts an export of this version. */
  readonly exportIt: (version: VersionRow) => void
  /** Sets or clears the decision. What it replaces can be restored with its reason. Resolves to whether it was saved. */
  readonly decide: (version: VersionRow, verdict: WantedVerdict) => Promise<boolean>
  /** Asks for a reason; a given one can be edited. */
  readonly reject: (version: VersionRow) => void
  readonly showCallback: (callbackId: CallbackId) => void
  readonly copy: (text: string) => void
  /** Copies a rejection with its reason, to send to the version's author. */
  readonly copyRejection: (version: VersionRow) => void
  /** Starts a mail to the person who saved the version. */
  readonly mailAuthor: (version: VersionRow) => void
}

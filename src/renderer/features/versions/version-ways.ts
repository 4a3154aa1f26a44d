import type { CallbackId } from '../../../contract/ids.ts'
import type { VersionMarks, VersionRow } from '../../../contract/ipc/versions.ts'

/** What the parts of a version lead to; a problem is told by whoever gives these. */
export interface VersionWays {
  /** Resolves to whether the marks were kept. */
  readonly mark: (version: VersionRow, marks: VersionMarks) => Promise<boolean>
  /** In a window of its own, beside another version where one is named. */
  readonly review: (versionId: string, compareWith: string | null) => void
  /** Begins an export that holds this version. */
  readonly exportIt: (version: VersionRow) => void
  readonly reject: (version: VersionRow) => void
  readonly showCallback: (callbackId: CallbackId) => void
  readonly copy: (text: string) => void
  /** Copies a rejection with its reason, for whoever saved the version. */
  readonly copyRejection: (version: VersionRow) => void
}

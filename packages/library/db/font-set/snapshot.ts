import type { Sha256, SiteId, SnapshotId } from '@galley/wire'

import type { FieldValues } from '../../records/fields.ts'

/** A stored font set of a site, with what people have set on it. `files` are the font files without the CSS and the tree. */
export interface SnapshotSummary extends FieldValues<'fontSet'> {
  readonly site: SiteId
  readonly snapshotId: SnapshotId
  readonly receivedAt: string
  readonly files: readonly string[]
  readonly cssUrl: string
  readonly archiveSha256: Sha256
}

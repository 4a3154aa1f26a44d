import type { Sha256, SiteId, SnapshotId } from '@galley/wire'

/** A stored font set of a site. `files` are the font files without the CSS and the tree. */
export interface SnapshotSummary {
  readonly site: SiteId
  readonly snapshotId: SnapshotId
  readonly receivedAt: string
  readonly files: readonly string[]
  readonly cssUrl: string
  readonly archiveSha256: Sha256
}

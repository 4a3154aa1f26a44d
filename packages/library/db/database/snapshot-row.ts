import type { Sha256, SiteId, SnapshotId } from '@galley/wire'

/** A row of the table `snapshot`, as far as lists read it. */
export interface SnapshotColumns {
  id: number
  site: SiteId
  snapshot_id: SnapshotId
  received_at: string
  css_sha256: Sha256
  tree_sha256: Sha256 | null
  answer_sha256: Sha256 | null
  archive_sha256: Sha256
  kept_sha256: Sha256
  public_base: string
}

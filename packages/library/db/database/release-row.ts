import type { Sha256 } from '@galley/wire'

import type { FileCounts, Release, ReleaseLinks } from '../../records/release.ts'

/** A row of the release table. */
export interface ReleaseRow extends Pick<Release, 'id' | 'site' | 'target' | 'at' | 'by'> {
  readonly record: Sha256
  readonly rollback_of: string | null
  readonly counts: string
  readonly links: string | null
}

/** All fields except the pages. */
export const fromReleaseRow = ({ id, site, target, at, by, record, rollback_of, counts, links }: ReleaseRow) => ({
  id,
  site,
  target,
  at,
  by,
  record,
  rollbackOf: rollback_of,
  counts: JSON.parse(counts) as FileCounts,
  links: links === null ? null : (JSON.parse(links) as ReleaseLinks),
})

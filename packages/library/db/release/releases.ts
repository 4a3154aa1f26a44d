import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'

import type { Release, ReleaseLinks } from '../../records/release.ts'
import { keptReleases } from '../../records/target.ts'
import type { Commit } from '../commit/commit.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { ReleaseRow } from '../database/release-row.ts'
import { fromReleaseRow } from '../database/release-row.ts'

/** What was published to the targets of sites. */
export function createReleases(db: ReadHandle, commit: Commit) {
  const list = db.prepare<[string, string, number], ReleaseRow & { arrival: number }>(
    `SELECT arrival, id, site, target, at, record, rollback_of, "by", counts, json_set(links, '$.list', json('[]')) AS links
     FROM release WHERE site = ? AND target = ? ORDER BY arrival DESC LIMIT ?`,
  )
  const links = db
    .prepare<[string, string, string], string | null>(
      'SELECT links FROM release WHERE site = ? AND target = ? AND id = ?',
    )
    .pluck()
  const pages = db.prepare<[number], { materialId: MaterialId; versionId: VersionId }>(
    `SELECT m.material_id AS materialId, v.version_id AS versionId FROM release_page p
       JOIN version v ON v.id = p.version JOIN material m ON m.id = v.material WHERE p.release = ? ORDER BY p.version`,
  )
  const targets = db.prepare<[], { site: SiteId; name: string }>('SELECT site, name FROM target ORDER BY site, name')
  const known = db.prepare<[string, string], 1>('SELECT 1 FROM release WHERE site = ? AND id = ?').pluck()
  const records = db
    .prepare<[string], string>('SELECT record FROM release WHERE site = ? GROUP BY record ORDER BY max(arrival) DESC')
    .pluck()
  const toRelease = (row: ReleaseRow & { arrival: number }): Release => ({
    ...fromReleaseRow(row),
    pages: pages.all(row.arrival),
  })

  return {
    add: ({ record, ...release }: Release): void =>
      commit.now(() => [{ kind: 'released', release: { ...release, record: record as Sha256 } }]),
    /** Newest first: the first one is live. Without the broken references, which `linksOf` gives. */
    of: (site: SiteId, target: string, limit = 1000): readonly Release[] =>
      list.all(site, target, limit).map(toRelease),
    linksOf(site: SiteId, target: string, id: string): ReleaseLinks | null {
      const found = links.get(site, target, id) ?? null
      return found === null ? null : (JSON.parse(found) as ReleaseLinks)
    },
    isKnown: (site: SiteId, id: string): boolean => known.get(site, id) !== undefined,
    /** Hashes of the file lists of all releases of a site, also to targets that were removed; newest first. */
    recordsOf: (site: SiteId): readonly string[] => records.all(site),
    /** Hashes of the file lists of all releases that can be published again. */
    keptRecords: (): ReadonlySet<string> =>
      new Set(
        targets.all().flatMap(({ site, name }) => list.all(site, name, keptReleases).map(({ record }) => record)),
      ),
  }
}

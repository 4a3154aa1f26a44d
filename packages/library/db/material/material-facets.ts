import type { SiteId } from '@galley/wire'

import type { Facet, MaterialFacets } from '../../views/materials.ts'
import { failedMaterials } from '../callback/failed-saves.ts'
import type { ReadHandle, ReadStatement } from '../database/read-handle.ts'

/** How many materials of a site there are, with each status, tag and editor. */
export function createMaterialFacets(db: ReadHandle) {
  // Archived materials are few: they are counted separately and subtracted from the counts of all, which come from indexes.
  const ofArchive = 'FROM material m INDEXED BY material_archived'
  const inArchive = 'm.site = ? AND m.archived_at IS NOT NULL'
  const archive = {
    statuses: db.prepare<[string], Facet>(
      `SELECT m.status AS value, count(*) AS count ${ofArchive} WHERE ${inArchive} GROUP BY m.status`,
    ),
    tags: db.prepare<[string], Facet>(
      `SELECT g.tag AS value, count(*) AS count ${ofArchive} CROSS JOIN material_tag g ON g.material = m.id
       WHERE ${inArchive} GROUP BY g.tag`,
    ),
    editors: db.prepare<[string], Facet>(
      `SELECT m.editor AS value, count(*) AS count ${ofArchive} WHERE ${inArchive} AND m.editor IS NOT NULL
       GROUP BY m.editor`,
    ),
    count: db.prepare<[string], { count: number }>(`SELECT count(*) AS count ${ofArchive} WHERE ${inArchive}`),
  }
  const statuses = db.prepare<[string], Facet>(
    'SELECT status AS value, count(*) AS count FROM material WHERE site = ? GROUP BY status ORDER BY count DESC, status',
  )
  const tags = db.prepare<[string], Facet>(
    `SELECT tag AS value, count(*) AS count FROM material_tag WHERE site = ? GROUP BY tag
     ORDER BY count DESC, tag LIMIT 1000`,
  )
  const editors = db.prepare<[string], Facet>(
    `SELECT editor AS value, count(*) AS count FROM material WHERE site = ? AND editor IS NOT NULL
     GROUP BY editor ORDER BY count DESC, editor LIMIT 200`,
  )
  const saveFailed = db.prepare<{ site: string; archived: number }, Facet>(
    `SELECT 'save_failed' AS value, count(*) AS count FROM material m
     WHERE m.site = @site AND m.material_id IN (${failedMaterials})
       AND (m.archived_at IS NOT NULL) = @archived HAVING count(*) > 0`,
  )
  const total = db.prepare<[string], { count: number }>('SELECT count(*) AS count FROM material WHERE site = ?')

  return {
    facets(site: SiteId, archived: boolean): MaterialFacets {
      const of = (all: ReadStatement<[string], Facet>, ofArchive: ReadStatement<[string], Facet>): readonly Facet[] =>
        archived ? mostFirst(ofArchive.all(site)) : without(all.all(site), ofArchive.all(site))
      return {
        statuses: [...of(statuses, archive.statuses), ...saveFailed.all({ site, archived: Number(archived) })],
        tags: of(tags, archive.tags),
        editors: of(editors, archive.editors),
        archived: archive.count.get(site)?.count ?? 0,
      }
    },
    /** Those whose current version is not approved. Excludes archived materials. */
    waiting: (site: SiteId): number =>
      without(statuses.all(site), archive.statuses.all(site))
        .filter(({ value }) => value === 'saved' || value === 'changes_requested')
        .reduce((sum, { count }) => sum + count, 0),
    /** Excludes archived materials. */
    count: (site: SiteId): number => (total.get(site)?.count ?? 0) - (archive.count.get(site)?.count ?? 0),
  }
}

const mostFirst = (facets: readonly Facet[]): readonly Facet[] =>
  facets.toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))

/** Subtracts the counts of the same values. */
function without(facets: readonly Facet[], others: readonly Facet[]): readonly Facet[] {
  if (others.length === 0) return facets
  const less = new Map(others.map(({ value, count }) => [value, count]))
  const left = facets.map(({ value, count }) => ({ value, count: count - (less.get(value) ?? 0) }))
  return mostFirst(left.filter(({ count }) => count > 0))
}

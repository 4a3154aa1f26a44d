import type { SiteId } from '@galley/wire'

import { tagFoldersOf } from '../../records/tag-folders.ts'
import type { ReadHandle } from '../database/read-handle.ts'

/** Reads where the list of each tag of a site is. */
export function createTagFolders(db: ReadHandle) {
  const used = db
    .prepare<[string], string>(
      'SELECT DISTINCT g.value FROM page p JOIN json_each(p.tags) g WHERE p.site = ? ORDER BY 1',
    )
    .pluck()
  const rows = db.prepare<[string], { tag: string; folder: string }>(
    'SELECT tag, folder FROM tag_folder WHERE site = ?',
  )
  const decided = (site: SiteId) => new Map(rows.all(site).map(({ tag, folder }) => [tag, folder]))

  /** The current or, if undecided, the future folder of every tag. */
  const ofSite = (site: SiteId): ReadonlyMap<string, string> => tagFoldersOf(used.all(site), decided(site))

  return {
    ofSite,
    undecided(site: SiteId) {
      const known = decided(site)
      return [...ofSite(site)].flatMap(([tag, folder]) => (known.has(tag) ? [] : [{ tag, folder }]))
    },
  }
}

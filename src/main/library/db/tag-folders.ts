import { tagFoldersOf } from '../../../contract/domain/bundle/tag-folders.ts'
import type { SiteId } from '../../../contract/ids.ts'
import type { ReadHandle } from './database/read-handle.ts'

/** Reads where the list of each tag of a site is. */
export function createTagFolders(db: ReadHandle) {
  const used = db.prepare<[string], { tag: string; isShown: 0 | 1 }>(
    `SELECT g.value AS tag,
       max(p.state = 'published' AND p.type = 'post' AND p.published IS NOT NULL AND m.archived_at IS NULL) AS isShown
     FROM page p JOIN material m ON m.id = p.material JOIN json_each(p.tags) g WHERE p.site = ? GROUP BY g.value`,
  )
  const rows = db.prepare<[string], { tag: string; folder: string }>(
    'SELECT tag, folder FROM tag_folder WHERE site = ?',
  )
  const decided = (site: SiteId) => new Map(rows.all(site).map(({ tag, folder }) => [tag, folder]))

  /** The current or, if undecided, the future folder of every tag. */
  function ofSite(site: SiteId): ReadonlyMap<string, string> {
    const tags = used.all(site)
    // Earlier versions of Galley decided no folders: readers already have the lists of these tags.
    const shown = tags.flatMap(({ tag, isShown }) => (isShown === 1 ? [tag] : []))
    return tagFoldersOf(
      tags.map(({ tag }) => tag),
      tagFoldersOf(shown, decided(site)),
    )
  }

  return {
    ofSite,
    undecided(site: SiteId) {
      const known = decided(site)
      return [...ofSite(site)].flatMap(([tag, folder]) => (known.has(tag) ? [] : [{ tag, folder }]))
    },
  }
}

import { randomUUID } from 'node:crypto'

import type { Site } from '../../../contract/domain/site.ts'
import type { SiteId } from '../../../contract/ids.ts'
import type { Commit } from './commit.ts'
import type { ReadHandle } from './database/read-handle.ts'
import type { SiteRow } from './database/site-row.ts'
import { fromSiteRow } from './database/site-row.ts'

/** The integration profiles of a library. */
export function createSites(db: ReadHandle, commit: Commit) {
  const one = db.prepare<[string], SiteRow>('SELECT * FROM site WHERE id = ? AND removed_at IS NULL')
  const all = db.prepare<[], SiteRow>('SELECT * FROM site WHERE removed_at IS NULL ORDER BY id')
  const find = (id: string): Site | null => {
    const row = one.get(id)
    return row ? fromSiteRow(row) : null
  }

  const owner = db.prepare<[string], string | null>('SELECT owner FROM site WHERE id = ?').pluck()
  const ownerOf = (id: SiteId): string | null => owner.get(id) ?? null

  return {
    /** Creates a site or replaces its settings. Restores a removed site with its materials, as a new owner of its targets. */
    put: (site: Site): void =>
      commit.now(() => [{ kind: 'site_saved', site, ...(ownerOf(site.id) === null && { owner: randomUUID() }) }]),
    find,
    /** The random id that the targets of a site are known by; null if the site is not known. */
    ownerOf,
    list: (): readonly Site[] => all.all().map(fromSiteRow),
    /** Returns false if the site does not exist. Its materials and versions stay. */
    remove(id: SiteId, now: string): boolean {
      let isThere = false
      commit.now(() => {
        isThere = find(id) !== null
        return isThere ? [{ kind: 'site_removed', site: id, at: now }] : []
      })
      return isThere
    },
  }
}

import { randomUUID } from 'node:crypto'
import type { SiteId } from '@galley/wire'

import type { FieldsSet } from '../../records/changes.ts'
import type { Site } from '../../records/site.ts'
import { readTimeZone } from '../../records/time-zone.ts'
import type { Commit } from '../commit/commit.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { SiteRow } from '../database/site-row.ts'
import { fromSiteRow } from '../database/site-row.ts'

/** The time zone of this computer; UTC where it is not known. */
const computerZone = (): string => readTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone ?? '') ?? 'UTC'

/** The integration profiles of a library. */
export function createSites(db: ReadHandle, commit: Commit) {
  const one = db.prepare<[string], SiteRow>('SELECT * FROM site WHERE id = ? AND removed_at IS NULL')
  const all = db.prepare<[], SiteRow>('SELECT * FROM site WHERE removed_at IS NULL ORDER BY id')
  const find = (id: string): Site | null => {
    const row = one.get(id)
    return row ? fromSiteRow(row) : null
  }

  const list = (): readonly Site[] => all.all().map(fromSiteRow)
  const owner = db.prepare<[string], string>('SELECT owner FROM site WHERE id = ? AND removed_at IS NULL').pluck()
  const ownerOf = (id: SiteId): string | null => owner.get(id) ?? null
  const zoneOf = db.prepare<[string], string | null>('SELECT time_zone FROM site_setting WHERE site = ?').pluck()
  const zoneFor = (site: SiteId): readonly FieldsSet<'site'>[] =>
    (zoneOf.get(site) ?? null) === null
      ? // Also if it is the initial value: another computer must not choose another one.
        [{ kind: 'fields_set', record: 'site', site, set: { timeZone: computerZone() } }]
      : []

  return {
    /**
     * Creates a site, in the time zone of this computer, or replaces its settings. Restores a removed site with its materials,
     * as a new owner of its targets.
     */
    put: (site: Site): void =>
      commit.now(() => [{ kind: 'site_saved', site, owner: ownerOf(site.id) ?? randomUUID() }, ...zoneFor(site.id)]),
    find,
    /** The random id that the targets of a site are known by; null if there is no such site. */
    ownerOf,
    list,
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

import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../../../contract/domain/changes.ts'
import { keptReleases } from '../../../../contract/domain/target.ts'
import type { NextId } from './row-ids.ts'

/** Writes the targets of sites and their releases. */
export function createReleaseWriter(db: Database, nextId: NextId) {
  const putTarget = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO target (site, name, settings) VALUES (?, ?, ?)',
  )
  const removeTarget = db.prepare<[string, string]>('DELETE FROM target WHERE site = ? AND name = ?')
  const insert = db.prepare<
    [number, string, string, string, string, string, string | null, string, string, string | null]
  >(
    `INSERT INTO release (arrival, id, site, target, at, record, rollback_of, by, counts, links)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertPage = db.prepare<[number, string, string, string]>(
    `INSERT OR IGNORE INTO release_page (release, version)
     SELECT ?, v.id FROM material m JOIN version v ON v.material = m.id
     WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
  )
  const releasePages = db.prepare<[string, string, number]>(
    `DELETE FROM release_page WHERE release IN (
       SELECT arrival FROM release WHERE site = ? AND target = ? ORDER BY arrival DESC LIMIT -1 OFFSET ?)`,
  )

  return {
    putTarget: ({ site, name, settings }: ChangeOf<'target_saved'>): void =>
      void putTarget.run(site, name, JSON.stringify(settings)),
    /** Keeps its history, but its releases no longer protect versions. */
    removeTarget({ site, name }: ChangeOf<'target_removed'>): void {
      removeTarget.run(site, name)
      releasePages.run(site, name, 0)
    },
    add({ id, site, target, at, record, rollbackOf, by, counts, pages, links }: ChangeOf<'released'>['release']): void {
      const arrival = nextId()
      insert.run(
        arrival,
        id,
        site,
        target,
        at,
        record,
        rollbackOf,
        by,
        JSON.stringify(counts),
        links && JSON.stringify(links),
      )
      for (const { materialId, versionId } of pages) insertPage.run(arrival, site, materialId, versionId)
      releasePages.run(site, target, keptReleases)
    },
  }
}

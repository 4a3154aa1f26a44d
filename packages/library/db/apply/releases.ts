import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import { keptReleases } from '../../records/target.ts'
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
  const offline = db.prepare<[string, string, number]>(
    `DELETE FROM online_page WHERE site = ? AND target = ?
       AND version NOT IN (SELECT version FROM release_page WHERE release = ?)`,
  )
  const online = db.prepare<[string, string, string, number]>(
    `INSERT OR IGNORE INTO online_page (site, target, since, material, version)
     SELECT ?, ?, ?, v.material, v.id FROM release_page p JOIN version v ON v.id = p.version WHERE p.release = ?`,
  )

  return {
    putTarget: ({ site, name, settings }: ChangeOf<'target_saved'>): void =>
      void putTarget.run(site, name, JSON.stringify(settings)),
    /** Keeps its history, but its releases no longer protect versions, and Galley no longer knows what is online there. */
    removeTarget({ site, name }: ChangeOf<'target_removed'>): void {
      removeTarget.run(site, name)
      offline.run(site, name, -1)
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
      offline.run(site, target, arrival)
      online.run(site, target, at, arrival)
      releasePages.run(site, target, keptReleases)
    },
  }
}

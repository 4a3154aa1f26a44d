import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import type { NextId } from './row-ids.ts'

/** Records past exports with the versions in each. */
export function createExportWriter(db: Database, nextId: NextId) {
  const insert = db.prepare<[number, string, string, string, string, string, number]>(
    'INSERT INTO export (arrival, id, site, at, request, report, pages) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const insertPage = db.prepare<[number, string, string, string]>(
    `INSERT INTO export_page (export, version)
     SELECT ?, v.id FROM material m JOIN version v ON v.material = m.id
     WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
  )
  return {
    add({ id, site, at, request, report, pages }: ChangeOf<'exported'>): void {
      const arrival = nextId()
      insert.run(arrival, id, site, at, JSON.stringify(request), JSON.stringify(report), pages.length)
      for (const page of pages) insertPage.run(arrival, site, page.materialId, page.versionId)
    },
  }
}

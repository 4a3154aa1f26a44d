import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { shownTitle } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ExportRequest, LoggedExport } from '../../records/export-record.ts'
import type { FileCounts } from '../../records/release.ts'
import type { ExportContents, ExportPage, ExportRow, LeftOutFindings, ReferenceFindings } from '../../views/exports.ts'
import type { Commit } from '../commit/commit.ts'

/** A successful export. */
export interface DoneExport {
  readonly id: string
  readonly site: SiteId
  readonly at: string
  readonly request: ExportRequest
  readonly counts: FileCounts
  readonly references: ReferenceFindings
  readonly leftOut: LeftOutFindings
  readonly sha256: string
  readonly pages: readonly { readonly materialId: MaterialId; readonly versionId: VersionId }[]
}

interface Row {
  id: string
  site: SiteId
  at: string
  request: string
  report: string
  pages: number
}

/** Past exports with the versions in each. */
export function createExports(db: Database, commit: Commit) {
  const columns = `id, site, at, request, pages, json_remove(report, '$.broken', '$.leftOut') AS report`
  const page = db.prepare<[string, number, number], Row>(
    `SELECT ${columns} FROM export WHERE site = ? ORDER BY arrival DESC LIMIT ? OFFSET ?`,
  )
  const one = db.prepare<[string], Row>(`SELECT ${columns} FROM export WHERE id = ?`)
  const findings = db.prepare<[string], { broken: string | null; leftOut: string | null }>(
    `SELECT report -> '$.broken' AS broken, report -> '$.leftOut' AS leftOut FROM export WHERE id = ?`,
  )
  const pages = db.prepare<[string], { materialId: MaterialId; versionId: VersionId; title: string }>(
    `SELECT m.material_id AS materialId, v.version_id AS versionId, m.title FROM export e
       CROSS JOIN export_page p ON p.export = e.arrival CROSS JOIN version v ON v.id = p.version
       CROSS JOIN material m ON m.id = v.material
     WHERE e.id = ? ORDER BY m.title_key`,
  )
  const ofVersion = db.prepare<[string, string, string], { exportId: string; at: string; request: string }>(
    `SELECT e.id AS exportId, e.at, e.request FROM material m CROSS JOIN version v ON v.material = m.id
       CROSS JOIN export_page p ON p.version = v.id CROSS JOIN export e ON e.arrival = p.export
     WHERE m.site = ? AND m.material_id = ? AND v.version_id = ? ORDER BY p.export DESC LIMIT 50`,
  )
  const count = db.prepare<[string], { count: number }>('SELECT count(*) AS count FROM export WHERE site = ?')

  const find = (id: string): ExportRow | null => {
    const row = one.get(id)
    return row ? toRow(row) : null
  }

  return {
    add({ id, site, at, request, counts, references, leftOut, sha256, pages: held }: DoneExport): void {
      const report = { counts, brokenReferences: references.broken, sha256, broken: references.list, leftOut }
      const pages = held.map(({ materialId, versionId }) => ({
        materialId,
        versionId,
      }))
      commit.now(() => [{ kind: 'exported', id, site, at, request, report, pages }])
    },
    /** Newest first. */
    query: (site: SiteId, offset: number, limit: number): ExportPage => ({
      total: count.get(site)?.count ?? 0,
      rows: page.all(site, limit, offset).map(toRow),
    }),
    find,
    contents(id: string): ExportContents | null {
      const row = find(id)
      if (row === null) return null
      const kept = findings.get(id)
      return {
        row,
        pages: pages.all(id).map((page) => ({ ...page, title: shownTitle(page.title) })),
        leftOut: JSON.parse(kept?.leftOut ?? '{"count":0,"list":[]}') as LeftOutFindings,
        broken: JSON.parse(kept?.broken ?? '[]') as ReferenceFindings['list'],
      }
    },
    ofVersion: (site: SiteId, materialId: MaterialId, versionId: VersionId) =>
      ofVersion.all(site, materialId, versionId).map(({ exportId, at, request }) => ({
        exportId,
        at,
        target: (JSON.parse(request) as ExportRequest).target.path,
      })),
    count: (site: SiteId): number => count.get(site)?.count ?? 0,
  }
}

const toRow = (row: Row): ExportRow => {
  const request = JSON.parse(row.request) as ExportRequest
  const { id: exportId, site, at, pages } = row
  return { exportId, site, at, pages, request, target: request.target, ...(JSON.parse(row.report) as LoggedExport) }
}

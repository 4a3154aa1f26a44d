import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import type { Materials } from './materials.ts'
import type { Versions } from './versions.ts'

/** A row that names another one which is not there. */
export interface BrokenReference {
  readonly table: string
  readonly names: string
  readonly rows: number
}

export interface MaterialName {
  readonly site: string
  readonly materialId: string
}

/** A callback in the ledger whose version or snapshot is not there: a repeated delivery could not be stored. */
export interface StaleDelivery {
  readonly id: string
  readonly site: string
  readonly materialId: string
  readonly versionId: string
}

const newestOf = (material: string): string =>
  `(SELECT v.id FROM version v WHERE v.material = ${material} ORDER BY v.cdate_ms DESC, v.id DESC LIMIT 1)`

/** Questions to the index about itself, and what mends a wrong answer. Each reads a whole table. */
export function createConsistency(db: Database, materials: Materials, versions: Versions) {
  const tables = db.prepare<[], { name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
  )
  const quickCheck = db.prepare<[string], { quick_check: string }>('SELECT quick_check FROM pragma_quick_check(?)')
  const broken = db.prepare<[string], BrokenReference>(
    `SELECT "table", parent AS names, count(*) AS rows FROM pragma_foreign_key_check(?) GROUP BY "table", parent`,
  )
  const wrongCurrent = db.prepare<[], MaterialName>(
    `SELECT m.site, m.material_id AS materialId FROM material m
     WHERE m.current_version IS NOT ${newestOf('m.id')}
       OR m.version_count <> (SELECT count(*) FROM version v WHERE v.material = m.id)
       OR m.total_bytes <> (SELECT coalesce(sum(size_bytes), 0) FROM version v WHERE v.material = m.id)`,
  )
  const recount = db.prepare<[number]>(
    `UPDATE material SET version_count = (SELECT count(*) FROM version v WHERE v.material = material.id),
       total_bytes = (SELECT coalesce(sum(size_bytes), 0) FROM version v WHERE v.material = material.id),
       current_version = NULL, saved_at = NULL, editor = NULL, status = 'unsaved' WHERE id = ?`,
  )
  const unsearchable = db.prepare<[], MaterialName>(
    `SELECT m.site, m.material_id AS materialId FROM material m LEFT JOIN material_text t ON t.rowid = m.id
     WHERE t.title IS NOT m.title OR t.material_id IS NOT m.material_id`,
  )
  const stale = db.prepare<[], StaleDelivery>(
    `SELECT c.id, c.site, c.material_id AS materialId, c.version_id AS versionId FROM callback c
     WHERE c.outcome = 'stored' AND CASE c.kind
       WHEN 'article_saved' THEN NOT EXISTS (SELECT 1 FROM version v JOIN material m ON m.id = v.material
         WHERE m.site = c.site AND m.material_id = c.material_id AND v.version_id = c.version_id)
       ELSE NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.site = c.site AND s.snapshot_id = c.version_id) END`,
  )
  const forget = db.prepare<[string]>('DELETE FROM callback WHERE id = ?')

  return {
    /** The tables of the index, for checks that go one by one. */
    tables: (): readonly string[] => tables.all().map(({ name }) => name),
    /** `ok`, or the first thing that SQLite finds wrong with a table. */
    quickCheck: (table: string): string => quickCheck.get(table)?.quick_check ?? 'ok',
    brokenReferences: (table: string): readonly BrokenReference[] => broken.all(table),
    /**
     * `ok`, or what is wrong with the full-text index. Only reads, where FTS5's own command would hold up saves; on a
     * fresh connection, since an older one takes what another process has written for damage.
     */
    searchIndex(): string {
      const fresh = new BetterSqlite3(db.name, { readonly: true, timeout: 5000 })
      try {
        return String(fresh.pragma('integrity_check(material_text)', { simple: true }))
      } finally {
        fresh.close()
      }
    },
    /** Builds the full-text index again from its own documents. */
    rebuildSearchIndex: (): void => void db.exec(`INSERT INTO material_text (material_text) VALUES ('rebuild')`),
    /** Materials whose current version is not their newest one, or whose count or size is wrong. */
    wrongCurrent: (): readonly MaterialName[] => wrongCurrent.all(),
    /** Makes what a material says of its versions anew from their rows. */
    mendCurrent: ({ site, materialId }: MaterialName): void =>
      db
        .transaction(() => {
          const id = materials.idOf(site, materialId)
          if (id === null) return
          recount.run(id)
          versions.refreshMaterial(id)
        })
        .immediate(),
    /** Materials whose search document is not there, or says something else than their row. */
    unsearchable: (): readonly MaterialName[] => unsearchable.all(),
    mendDocument({ site, materialId }: MaterialName, page: string): void {
      const id = materials.idOf(site, materialId)
      if (id !== null) materials.index(id, page)
    },
    staleDeliveries: (): readonly StaleDelivery[] => stale.all(),
    /** Takes a callback out of the log and the ledger. */
    forgetCallback: (id: string): void => void forget.run(id),
  }
}

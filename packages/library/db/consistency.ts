import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

/** Consistency checks of the index. Each reads a whole table. */
export function createConsistency(db: Database) {
  const tables = db.prepare<[], { name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
  )
  const quickCheck = db.prepare<[string], { quick_check: string }>('SELECT quick_check FROM pragma_quick_check(?)')

  return {
    /** The tables of the index, for checking them one by one. */
    tables: (): readonly string[] => tables.all().map(({ name }) => name),
    /** `ok`, or the first problem that SQLite finds in a table. */
    quickCheck(table: string): string {
      try {
        return quickCheck.get(table)?.quick_check ?? 'ok'
      } catch (error) {
        // Damage in the root page of a table is thrown, not reported.
        if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_CORRUPT'))
          return `the table ${table} cannot be read`
        throw error
      }
    },
    /**
     * `ok`, or the problem of the full-text index. Read-only, because FTS5's own check would block saves. Uses a new
     * connection, because an older one reports writes of other processes as damage.
     */
    searchIndex(): string {
      const fresh = new BetterSqlite3(db.name, { readonly: true, timeout: 5000 })
      try {
        return String(fresh.pragma('integrity_check(material_text)', { simple: true }))
      } finally {
        fresh.close()
      }
    },
    /** Rebuilds the full-text index from its documents. */
    rebuildSearchIndex: (): void => void db.exec(`INSERT INTO material_text (material_text) VALUES ('rebuild')`),
  }
}

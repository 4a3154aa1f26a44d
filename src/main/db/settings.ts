import type { Database } from 'better-sqlite3'

import { durably } from './durably.ts'

/** Named facts that belong to this machine. */
export function createSettings(db: Database) {
  const get = db.prepare<[string], { value: string }>('SELECT value FROM setting WHERE name = ?')
  const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')
  const putNew = db.prepare<[string, string]>('INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)')
  const forget = db.prepare<[string]>('DELETE FROM setting WHERE name = ?')
  return {
    get: (name: string): string | null => get.get(name)?.value ?? null,
    put: (name: string, value: string): void => void durably(db, () => put.run(name, value)),
    forget: (name: string): void => void forget.run(name),
    /** The stored value, which is `value` when there was none before. */
    getOrPut(name: string, value: string): string {
      putNew.run(name, value)
      return get.get(name)?.value ?? value
    },
  }
}

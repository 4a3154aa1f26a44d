import type { Database } from 'better-sqlite3'

import { durably } from './durably.ts'

/** Named values that belong to this computer. */
export function createSettings(db: Database) {
  const get = db.prepare<[string], { value: string }>('SELECT value FROM setting WHERE name = ?')
  const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')
  const putNew = db.prepare<[string, string]>('INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)')
  const startingWith = db.prepare<[string, string], { name: string; value: string }>(
    'SELECT name, value FROM setting WHERE name >= ? AND name < ?',
  )
  const forget = db.prepare<[string]>('DELETE FROM setting WHERE name = ?')
  return {
    get: (name: string): string | null => get.get(name)?.value ?? null,
    put: (name: string, value: string): void => void durably(db, () => put.run(name, value)),
    /** All settings whose names start with this prefix. */
    startingWith: (start: string): readonly { readonly name: string; readonly value: string }[] =>
      startingWith.all(start, `${start}\u{10ffff}`),
    forget: (name: string): void => void forget.run(name),
    /** The stored value. Stores `value` if there was none. */
    getOrPut(name: string, value: string): string {
      putNew.run(name, value)
      return get.get(name)?.value ?? value
    },
  }
}

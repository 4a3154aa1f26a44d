import type { Database } from 'better-sqlite3'

import { registerCauses } from './cause-sentences.ts'
import { sortKey } from './sort-key.ts'

/** The library was written by a newer Galley; opening it with this one could lose what it does not know. */
export class NewerLibraryError extends Error {
  constructor(what: string) {
    super(
      `This library was written by a newer version of Galley (${what}). Nothing was changed. ` +
        'Use the newer version, or another library folder.',
    )
  }
}

/** A library of an older Galley that could not be brought up to date; it is as it was. */
export class MigrationError extends Error {
  constructor(cause: unknown) {
    super(
      'This library was written by an older version of Galley and could not be brought up to date. Nothing was ' +
        'changed. Make room on the disk and try again, or use the version that wrote it.',
      { cause },
    )
  }
}

const schemaVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/**
 * Brings a schema to `target` (default: the newest of `steps`), all steps in one transaction. The list is append-only: a
 * step that has shipped never changes, and its place is the version it leads to. Throws NewerLibraryError and MigrationError.
 */
export function migrate(db: Database, steps: readonly string[], target: number = steps.length): void {
  const at = schemaVersion(db)
  if (at > steps.length) throw new NewerLibraryError(`schema ${at}, this one knows ${steps.length}`)
  if (at >= target) return
  // Steps alone use it; statements that are prepared later bind its result.
  db.function('sort_key', { deterministic: true }, (title) => sortKey(String(title)))
  registerCauses(db)
  db.transaction(() => {
    // Read again inside the write lock: two commands may open a fresh library at the same moment.
    const now = schemaVersion(db)
    try {
      for (const step of steps.slice(now, target)) db.exec(step)
    } catch (error) {
      throw new MigrationError(error)
    }
    if (now < target) db.pragma(`user_version = ${target}`)
  }).immediate()
}

import type { Database } from 'better-sqlite3'

import library from './migrations/0001-library.sql?raw'

/** Append-only: a migration that has shipped never changes; its place in the list is the schema version it leads to. */
export const migrations: readonly string[] = [library]

/** The library was written by a newer Galley; opening it with this one could lose what it does not know. */
export class NewerLibraryError extends Error {
  constructor(schemaVersion: number) {
    super(
      `This library was written by a newer Galley (schema ${schemaVersion}, this one knows ${migrations.length}). ` +
        'Nothing was changed. Use the newer Galley, or another library folder.',
    )
  }
}

const schemaVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/** Throws NewerLibraryError; reads one number and writes nothing. */
export function refuseNewer(db: Database): void {
  const at = schemaVersion(db)
  if (at > migrations.length) throw new NewerLibraryError(at)
}

/** Brings the schema to `target` (default: the newest), all steps in one transaction. Throws NewerLibraryError. */
export function migrate(db: Database, target: number = migrations.length): void {
  refuseNewer(db)
  if (schemaVersion(db) >= target) return
  db.transaction(() => {
    // Read again inside the write lock: two commands may open a fresh library at the same moment.
    const now = schemaVersion(db)
    for (const step of migrations.slice(now, target)) db.exec(step)
    db.pragma(`user_version = ${Math.max(now, target)}`)
  }).immediate()
}

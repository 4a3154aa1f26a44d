import type { Database } from 'better-sqlite3'

import library from './migrations/0001-library.sql?raw'
import interfaceSchema from './migrations/0002-interface.sql?raw'
import pruning from './migrations/0003-pruning.sql?raw'
import callbackIndex from './migrations/0004-callback-index.sql?raw'
import askedFaces from './migrations/0005-asked-faces.sql?raw'
import { sortKey } from './sort-key.ts'

/** Append-only: a migration that has shipped never changes; its place in the list is the schema version it leads to. */
export const migrations: readonly string[] = [library, interfaceSchema, pruning, callbackIndex, askedFaces]

/** The library was written by a newer Galley; opening it with this one could lose what it does not know. */
export class NewerLibraryError extends Error {
  constructor(schemaVersion: number) {
    super(
      `This library was written by a newer Galley (schema ${schemaVersion}, this one knows ${migrations.length}). ` +
        'Nothing was changed. Use the newer Galley, or another library folder.',
    )
  }
}

/** A library of an older Galley that could not be brought up to date; it is as it was. */
export class MigrationError extends Error {
  constructor(from: number, to: number, what: string, cause: unknown) {
    super(`This library has schema ${from} and could not be brought to ${to}. Nothing was changed. ${what}`, { cause })
  }
}

const schemaVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/** Throws NewerLibraryError; reads one number and writes nothing. */
export function refuseNewer(db: Database): void {
  const at = schemaVersion(db)
  if (at > migrations.length) throw new NewerLibraryError(at)
}

/**
 * Brings the schema to `target` (default: the newest), all steps in one transaction. What is in an older library is
 * kept by `keepCopy` before, which says where; no save comes in between. Throws NewerLibraryError and MigrationError.
 */
export function migrate(
  db: Database,
  target: number = migrations.length,
  keepCopy: (schema: number) => string = () => 'memory',
): void {
  refuseNewer(db)
  if (schemaVersion(db) >= target) return
  // Migrations alone use it; statements that are prepared later bind its result.
  db.function('sort_key', { deterministic: true }, (title) => sortKey(String(title)))
  db.transaction(() => {
    // Read again inside the write lock: two commands may open a fresh library at the same moment.
    const now = schemaVersion(db)
    if (now >= target) return
    const advice = now === 0 ? 'Choose an empty folder.' : copied(now, target, keepCopy)
    try {
      for (const step of migrations.slice(now, target)) db.exec(step)
    } catch (error) {
      throw new MigrationError(now, target, advice, error)
    }
    db.pragma(`user_version = ${target}`)
  }).immediate()
}

function copied(now: number, target: number, keepCopy: (schema: number) => string): string {
  try {
    return `A copy of its index from before lies beside it: ${keepCopy(now)}. Use the Galley that wrote it.`
  } catch (error) {
    throw new MigrationError(now, target, 'Its index could not be copied before: make room on the disk.', error)
  }
}

import type { Database } from 'better-sqlite3'

import { redactUrl } from '../../../../contract/domain/redaction.ts'
import { hideCredentials } from '../../../../contract/protocol/secret-values.ts'
import { registerCauses } from './cause-sentences.ts'
import { sortKey } from './sort-key.ts'

/** A newer Galley wrote the library. Opening it with this version could lose data. */
export class NewerLibraryError extends Error {
  constructor(what: string) {
    super(
      `This library was written by a newer version of Galley (${what}). Nothing was changed. ` +
        'Use the newer version, or another library folder.',
    )
  }
}

/** A library of an older Galley could not be migrated. It is unchanged. */
export class MigrationError extends Error {
  constructor(cause: unknown) {
    super(
      'This library was written by an older version of Galley and could not be upgraded. Nothing was ' +
        'changed. Free up disk space and try again, or use the version that wrote it.',
      { cause },
    )
  }
}

const schemaVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/**
 * Migrates a schema to `target` (default: the latest of `steps`) in one transaction. The list is append-only: released steps
 * never change, and their index is the resulting version. Throws NewerLibraryError and MigrationError.
 */
export function migrate(db: Database, steps: readonly string[], target: number = steps.length): void {
  const at = schemaVersion(db)
  if (at > steps.length) throw new NewerLibraryError(`schema ${at}, this one knows ${steps.length}`)
  if (at >= target) return
  // Only used by steps. Statements prepared later bind its result.
  db.function('sort_key', { deterministic: true }, (title) => sortKey(String(title)))
  db.function('redacted_url', { deterministic: true }, (url) => hideCredentials(String(url)))
  db.function('redacted_payload', { deterministic: true }, (payload) => redactUrl(String(payload)))
  registerCauses(db)
  db.transaction(() => {
    // Read again inside the write lock: another process may have migrated in the meantime.
    const now = schemaVersion(db)
    try {
      for (const step of steps.slice(now, target)) db.exec(step)
    } catch (error) {
      throw new MigrationError(error)
    }
    if (now < target) db.pragma(`user_version = ${target}`)
  }).immediate()
}

import type { Database } from 'better-sqlite3'

/** Writes to `local.db` with a sync, so that the data survives a power failure. Callback rows do not need this. */
export function durably<Value>(db: Database, write: () => Value): Value {
  db.pragma('local.synchronous = FULL')
  try {
    return write()
  } finally {
    db.pragma('local.synchronous = NORMAL')
  }
}

import type { Database } from 'better-sqlite3'

/** Writes to `local.db` so that a power cut does not take it back; what callbacks leave there does without. */
export function durably<Value>(db: Database, write: () => Value): Value {
  db.pragma('local.synchronous = FULL')
  try {
    return write()
  } finally {
    db.pragma('local.synchronous = NORMAL')
  }
}

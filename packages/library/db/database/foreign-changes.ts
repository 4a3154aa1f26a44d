import type { Database } from 'better-sqlite3'

/** Grows when another process has written to the index or the data of this computer. This is the cheapest way to detect that. */
export const foreignChanges = (db: Database): number =>
  Number(db.pragma('data_version', { simple: true })) + Number(db.pragma('local.data_version', { simple: true }))

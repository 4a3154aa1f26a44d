import type { ReadHandle } from './database/read-handle.ts'

/** The contents of a library. `bytes` is the size of all blobs, each counted once. */
export interface Totals {
  readonly materials: number
  readonly versions: number
  readonly callbacks: number
  readonly files: number
  readonly bytes: number
}

export function createTotals(db: ReadHandle) {
  const totals = db.prepare<[], Totals>(
    `SELECT (SELECT count(*) FROM material) AS materials, (SELECT count(*) FROM version) AS versions,
       (SELECT count(*) FROM callback) AS callbacks, count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes FROM blob`,
  )
  return (): Totals => totals.get() ?? { materials: 0, versions: 0, callbacks: 0, files: 0, bytes: 0 }
}

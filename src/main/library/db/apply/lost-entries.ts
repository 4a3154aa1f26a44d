import type { Database } from 'better-sqlite3'

import type { LogFault } from '../../log/read-log.ts'

/** A part of the log that could not be applied: a fault, or an entry that contradicts earlier ones. */
export type Unapplied = Pick<LogFault, 'position' | 'count' | 'segment' | 'offset' | 'bytes'> & {
  readonly kind: LogFault['kind'] | 'contradicts'
}

/** Entries of the log that an index lacks, or has only in part (`contradicts`). */
export interface LostRows {
  /** The first position, as far as it is known. */
  readonly position: number
  readonly count: number
  readonly kind: 'damaged' | 'missing' | 'contradicts'
  /** Of a damaged line; otherwise 0. */
  readonly lineStart: number
}

/**
 * The entries of its log that an index lacks. Copies and checkpoints carry this list: an index built from them lacks
 * the same entries, although the faulty part of the log is never read again.
 */
export function createLostEntries(db: Database) {
  const add = db.prepare<[number, number, string, number]>('INSERT OR IGNORE INTO lost_entry VALUES (?, ?, ?, ?)')
  const drop = db.prepare<[number]>('DELETE FROM lost_entry WHERE position >= ?')
  return {
    add({ kind, position, count, offset }: Unapplied): void {
      if (kind === 'unlinked' || kind === 'newer') return
      add.run(position, count, kind, kind === 'damaged' ? offset : 0)
    },
    /** An entry at this position: the damaged end of a log is overwritten by the next entry. */
    dropFrom: (position: number): void => void drop.run(position),
  }
}

/** In the order of the log. */
export const lostEntriesIn = (db: Database): readonly LostRows[] =>
  db
    .prepare<[], LostRows>(
      'SELECT position, count, kind, line_start AS lineStart FROM lost_entry ORDER BY position, kind, line_start',
    )
    .all()

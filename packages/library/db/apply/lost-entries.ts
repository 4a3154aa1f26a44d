import type { Database } from 'better-sqlite3'

import type { LogFault } from '../../log/read-log.ts'
import type { Entry } from '../../records/changes.ts'

/** A part of the log that could not be applied: a fault, or an entry that contradicts earlier ones after a gap. */
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
  const any = db.prepare('SELECT 1 FROM lost_entry LIMIT 1')
  const drop = db.prepare<[number]>('DELETE FROM lost_entry WHERE position >= ?')
  const dropRefused = db.prepare<[number]>('DELETE FROM refused_entry WHERE position >= ?')
  const refuse = db.prepare<[number, string]>('INSERT OR REPLACE INTO refused_entry VALUES (?, ?)')
  return {
    add({ kind, position, count, offset }: Unapplied): void {
      if (kind === 'unlinked' || kind === 'newer') return
      add.run(position, count, kind, kind === 'damaged' ? offset : 0)
    },
    /** An entry at this position: the damaged end of a log is overwritten by the next entry. */
    dropFrom(position: number): void {
      drop.run(position)
      dropRefused.run(position)
    },
    /** Every computer skips this entry. */
    refuse: ({ position, skipped = '' }: Pick<Entry, 'position' | 'skipped'>): void =>
      void refuse.run(position, skipped),
    /** Whether the index lacks an entry, so that later ones may refer to what is missing. */
    some: (): boolean => any.get() !== undefined,
  }
}

/** In the order of the log. */
export const lostEntriesIn = (db: Database): readonly LostRows[] =>
  db
    .prepare<[], LostRows>(
      'SELECT position, count, kind, line_start AS lineStart FROM lost_entry ORDER BY position, kind, line_start',
    )
    .all()

/** An entry that every computer skips, and the first value that this format does not have; '' if it contradicts earlier ones. */
export interface RefusedEntry {
  readonly position: number
  readonly why: string
}

/** In the order of the log. */
export const refusedEntriesIn = (db: Database): readonly RefusedEntry[] =>
  db.prepare<[], RefusedEntry>('SELECT position, why FROM refused_entry ORDER BY position').all()

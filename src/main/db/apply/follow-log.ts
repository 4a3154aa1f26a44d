import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog, LogFault, LogItem, LogMark } from '../../log/log.ts'
import type { CallbackMirror } from '../callback-mirror.ts'
import { NewerLibraryError } from '../migrate.ts'
import type { Apply } from './apply.ts'

export interface FollowPorts {
  readonly db: Database
  readonly log: LibraryLog
  readonly apply: Apply
  readonly callbacks: CallbackMirror
}

/** What could not be applied: a fault of the log itself, or an entry that contradicts what came before it. */
export type Unapplied = Pick<LogFault, 'position' | 'count' | 'segment' | 'offset' | 'bytes'> & {
  readonly kind: LogFault['kind'] | 'contradicts'
}

/** What following the log gives, in order, after each entry. */
export type Followed =
  | { readonly kind: 'applied'; readonly mark: LogMark }
  | { readonly kind: 'unapplied'; readonly what: Unapplied }

/**
 * Applies the log behind `from` to the index, entry by entry; part of a larger transaction. What cannot be applied is
 * given and stops nothing: the entries behind it hold saves that were acknowledged. Throws NewerLibraryError.
 */
export function* followLog(
  { db, log, apply, callbacks }: FollowPorts,
  from: LogMark,
  upTo = Number.POSITIVE_INFINITY,
): Generator<Followed, void, void> {
  const savepoint = db.prepare('SAVEPOINT entry')
  const release = db.prepare('RELEASE entry')
  const rollback = db.prepare('ROLLBACK TO entry')
  function appliedAfterGap({ entry, mark }: Extract<LogItem, { kind: 'entry' }>): boolean {
    try {
      apply.entry(entry, mark, true)
      return true
    } catch (error) {
      if (!isContradiction(error)) throw error
      return false
    }
  }

  for (const item of log.read(from)) {
    if (item.kind === 'fault') {
      if (item.fault.position > upTo) return
      if (item.fault.kind === 'newer') throw new NewerLibraryError('its log')
      yield { kind: 'unapplied', what: item.fault }
      continue
    }
    const { entry, mark } = item
    if (entry.position > upTo) return
    savepoint.run()
    try {
      apply.entry(entry, mark)
    } catch (error) {
      rollback.run()
      if (!isContradiction(error)) throw error
      // Only after a gap: what an entry builds on may be what is missing.
      if (!appliedAfterGap(item)) {
        rollback.run()
        apply.end(mark)
        yield { kind: 'unapplied', what: { kind: 'contradicts', position: entry.position, count: 1, ...placeOf(mark) } }
      }
    } finally {
      release.run()
    }
    callbacks.mirror(entry.changes, entry.position)
    yield { kind: 'applied', mark }
  }
}

const isContradiction = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')

const placeOf = ({ segment, start }: LogMark) => ({ segment, offset: start })

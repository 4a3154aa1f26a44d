import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import type { LibraryLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import type { LogItem } from '../../log/read-log.ts'
import type { Change } from '../../records/changes.ts'
import { NewerLibraryError } from '../database/other-versions.ts'
import type { Apply } from './apply.ts'
import type { CallbackMirror } from './callback-mirror.ts'
import type { Unapplied } from './lost-entries.ts'
import { TooManyRowsError } from './row-ids.ts'

export interface FollowPorts {
  readonly db: Database
  readonly log: LibraryLog
  readonly apply: Apply
  readonly callbacks: CallbackMirror
}

/** The events of following the log, in order, after each entry. */
export type Followed =
  | { readonly kind: 'applied'; readonly mark: LogMark }
  | { readonly kind: 'unapplied'; readonly what: Unapplied }

/**
 * Applies the log after `from` to the index, entry by entry. Must run inside a transaction. An entry that is none of this
 * format, or contradicts the ones before it, is skipped as a whole and recorded, on every computer alike (decision 274).
 * Yields what is lost and continues, because the rest contains acknowledged saves; after a gap, an entry is applied in part.
 * Throws NewerLibraryError.
 */
export function* followLog(
  { db, log, apply, callbacks }: FollowPorts,
  from: LogMark,
  upTo = Number.POSITIVE_INFINITY,
): Generator<Followed, void, void> {
  /** A nested transaction: applied completely or not at all. */
  const asWhole = db.transaction((work: () => void) => work())
  function isApplied(work: () => void): boolean {
    try {
      asWhole(work)
      return true
    } catch (error) {
      if (isContradiction(error)) return false
      throw error
    }
  }

  /** Applies the valid changes of an entry one by one: some may depend on missing data. */
  function applyInParts({ entry, mark }: FoundEntry): readonly Change[] {
    apply.begin(entry.position)
    const applied = entry.changes.filter((change) => {
      const taken = apply.taken()
      if (isApplied(() => apply.changeAfterGap(change))) return true
      apply.rewind(taken)
      return false
    })
    apply.end(mark)
    return applied
  }

  /** Applies an entry, or skips it. Returns what was applied. */
  function applyOrSkip(item: FoundEntry): readonly Change[] {
    const { entry, mark } = item
    if (entry.skipped === undefined && isApplied(() => apply.entry(entry, mark))) return entry.changes
    if (entry.skipped === undefined && apply.lacksEntries()) return applyInParts(item)
    apply.skip(entry, mark)
    return []
  }

  // A list that is behind the index gets the rest in order, from the log, when the library is opened.
  const isListed = callbacks.position() >= from.position
  for (const item of log.read(from)) {
    if (item.kind === 'fault') {
      if (item.fault.position > upTo) return
      if (item.fault.kind === 'newer') throw new NewerLibraryError('its log')
      apply.lack(item.fault)
      yield { kind: 'unapplied', what: item.fault }
      continue
    }
    const { entry, mark } = item
    if (entry.position > upTo) return
    const changes = applyOrSkip(item)
    if (changes.length < entry.changes.length && apply.lacksEntries()) {
      const what = { kind: 'contradicts', position: entry.position, count: 1, ...placeOf(mark) } as const
      apply.lack(what)
      yield { kind: 'unapplied', what }
    }
    if (isListed) callbacks.mirror({ ...entry, changes })
    yield { kind: 'applied', mark }
  }
}

type FoundEntry = Extract<LogItem, { kind: 'entry' }>

const isContradiction = (error: unknown): boolean =>
  error instanceof TooManyRowsError ||
  (error instanceof BetterSqlite3.SqliteError && /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)/.test(error.code))

const placeOf = ({ segment, start }: LogMark) => ({ segment, offset: start })

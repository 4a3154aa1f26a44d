import type { EntryObject } from './entry-object.ts'
import { isUnreadable, readLogObject } from './entry-object.ts'
import { entryKey, positionIn } from './keys.ts'
import type { Replica } from './replica.ts'
import { LogFoldedError, TeamLogError } from './replica.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** How many entries are read in parallel by a replica that is far behind: what it waits for is round trips. */
const readAtOnce = 64
/** How many are applied before other work of the process may run: each takes about a millisecond. */
const applyAtOnce = 16

/** Parses the object as the entry after `end`. Throws TeamLogError, LogFoldedError. */
export function entryBehind(end: ReturnType<Replica<never>['end']>, bytes: Uint8Array): EntryObject {
  const position = end.position + 1
  const found = readLogObject(bytes)
  if (found.kind === 'folded') throw new LogFoldedError(found.checkpoint)
  if (found.kind === 'newer') throw new TeamLogError('log_newer', position)
  if (isUnreadable(found)) throw new TeamLogError(`log_${found.kind}`, position)
  if (found.position !== position) throw new TeamLogError('log_foreign', position)
  // The log was forked, or belongs to another library.
  if (found.previous !== end.hash) throw new TeamLogError('log_unlinked', position)
  return found
}

/**
 * Applies the log up to its end and returns how many entries were applied. Throws TeamLogError, LogFoldedError,
 * BucketAwayError, CausedError.
 */
export function* follow<Write>(replica: Replica<Write>): Protocol<number> {
  let taken = 0
  for (let atOnce = 1; ; atOnce = Math.min(atOnce * 2, readAtOnce)) {
    const { position } = replica.end()
    const keys = Array.from({ length: atOnce }, (_, at) => entryKey(position + 1 + at))
    const answer = yield* untilKnown({ kind: 'get', keys })
    if (answer.kind !== 'found') throw new TypeError(`A get was answered with ${answer.kind}`)
    for (const [at, bytes] of answer.objects.entries()) {
      // Another process on this machine may have applied it already.
      if (replica.end().position > position + at) continue
      replica.take(entryBehind(replica.end(), bytes))
      taken += 1
      if (taken % applyAtOnce === 0) yield { kind: 'wait', ms: 0 }
    }
    if (answer.objects.length < atOnce && !answer.isCut) return taken
  }
}

function* entryAt(position: number): Protocol<Uint8Array | null> {
  const answer = yield* untilKnown({ kind: 'get', keys: [entryKey(position)] })
  return (answer.kind === 'found' ? answer.objects[0] : null) ?? null
}

/**
 * Checks that the bucket still has the last entry of the replica. If not, an older copy of the bucket was restored, and no
 * other computer would read new entries. Throws TeamLogError, BucketAwayError, CausedError.
 */
export function* confirmEnd(replica: Pick<Replica<never>, 'end'>): Protocol<void> {
  const { position, hash } = replica.end()
  if (position === 0) return
  const bytes = yield* entryAt(position)
  if (bytes === null) throw new TeamLogError('log_lost', position)
  const found = readLogObject(bytes)
  if (isUnreadable(found)) throw new TeamLogError(`log_${found.kind}`, position)
  if (found.kind === 'entry' && (found.position !== position || found.hash !== hash))
    throw new TeamLogError('log_unlinked', position)
}

/**
 * Makes sure that the log does not continue after a gap: a deleted entry looks like the end of the log, and its position
 * would be written a second time. Throws the same errors.
 */
export function* confirmNoGap(replica: Pick<Replica<never>, 'end'>): Protocol<void> {
  const { position } = replica.end()
  const next = position + 1
  // The list begins with the next entry, so that a cache which still answers that it is missing is not believed.
  const answer = yield* untilKnown({ kind: 'list', under: 'log/', after: entryKey(position) })
  const [first = next] = answer.kind === 'listed' ? answer.keys.flatMap((key) => positionIn(key) ?? []) : []
  // A list is no snapshot: both may have been written while it was made.
  if (first > next && (yield* entryAt(next)) === null) throw new TeamLogError('log_lost', next)
}

import type { EntryObject } from './entry-object.ts'
import { readLogObject } from './entry-object.ts'
import { entryKey } from './keys.ts'
import type { Replica } from './replica.ts'
import { LogFoldedError, TeamLogError } from './replica.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** Entries that are read side by side when a replica is far behind. */
const readAtOnce = 16

/** The object as the entry that belongs behind this end. Throws TeamLogError, LogFoldedError. */
export function entryBehind(end: ReturnType<Replica<never>['end']>, bytes: Uint8Array): EntryObject {
  const position = end.position + 1
  const found = readLogObject(bytes)
  if (found.kind === 'folded') throw new LogFoldedError(found.checkpoint)
  if (found.kind === 'newer') throw new TeamLogError('log_newer', position)
  if (found.kind === 'foreign' || found.position !== position) throw new TeamLogError('log_foreign', position)
  // A log that was forked, or another library's.
  if (found.previous !== end.hash) throw new TeamLogError('log_unlinked', position)
  return found
}

/**
 * Applies the log to its end; gives how many entries that were. Throws TeamLogError, LogFoldedError, BucketAwayError,
 * CausedError.
 */
export function* follow<Wish>(replica: Replica<Wish>): Protocol<number> {
  let taken = 0
  for (let atOnce = 1; ; atOnce = Math.min(atOnce * 2, readAtOnce)) {
    const { position } = replica.end()
    const keys = Array.from({ length: atOnce }, (_, at) => entryKey(position + 1 + at))
    const answer = yield* untilKnown({ kind: 'get', keys })
    if (answer.kind !== 'found') throw new TypeError(`A get was answered with ${answer.kind}`)
    for (const [at, bytes] of answer.objects.entries()) {
      // Another process of this machine may have been there before.
      if (replica.end().position > position + at) continue
      replica.take(entryBehind(replica.end(), bytes))
      taken += 1
    }
    if (answer.objects.length < atOnce && !answer.isCut) return taken
  }
}

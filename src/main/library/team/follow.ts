import type { EntryObject } from './entry-object.ts'
import { readLogObject } from './entry-object.ts'
import { entryKey } from './keys.ts'
import type { Replica } from './replica.ts'
import { LogFoldedError, TeamLogError } from './replica.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

/** How many entries are read in parallel when a replica is far behind. */
const readAtOnce = 16

/** Parses the object as the entry after `end`. Throws TeamLogError, LogFoldedError. */
export function entryBehind(end: ReturnType<Replica<never>['end']>, bytes: Uint8Array): EntryObject {
  const position = end.position + 1
  const found = readLogObject(bytes)
  if (found.kind === 'folded') throw new LogFoldedError(found.checkpoint)
  if (found.kind === 'newer') throw new TeamLogError('log_newer', position)
  if (found.kind === 'foreign' || found.position !== position) throw new TeamLogError('log_foreign', position)
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
    }
    if (answer.objects.length < atOnce && !answer.isCut) return taken
  }
}

import { CausedError } from '../../../contract/cause.ts'
import type { EntryObject } from './entry-object.ts'
import { readLogObject } from './entry-object.ts'
import { entryBehind, follow } from './follow.ts'
import { entryKey } from './keys.ts'
import type { Draft, Replica } from './replica.ts'
import type { Protocol, Upload } from './requests.ts'
import { BucketAwayError, firstWaitMs, isLateAfter, longer, untilKnown } from './requests.ts'

/** Nobody can tell whether the entry is in the log, or will be: whoever asks again is answered from the log. */
export class EntryUnknownError extends Error {
  readonly code = 'entry_unknown'
  constructor() {
    super('The bucket of the team did not say whether it has the entry')
  }
}

/**
 * Writes what is wished as one entry: decided on the end of the log, created there, and applied. Who loses the position
 * applies the entry that won it and decides again. Nothing is refused before the log was read to its end. Throws
 * EntryUnknownError, and what `follow` throws when nothing was written.
 */
export function* writeEntry<Wish>(replica: Replica<Wish>, wish: Wish): Protocol<void> {
  const uploaded = new Set<string>()
  for (let hasLooked = false; ;) {
    const drafted = replica.draft(wish, hasLooked)
    if (drafted.kind === 'nothing') return
    if (drafted.kind === 'look') {
      yield* follow(replica)
      hasLooked = true
      continue
    }
    yield* uploadAll(drafted.uploads, uploaded)
    const winner = yield* create(replica, drafted)
    if (winner !== null) replica.take(winner)
    if (winner?.writer === drafted.writer) return
  }
}

/**
 * Sends the files that are not sent yet, and again those of which nobody knows. Not by asking whether they are there: they
 * may be about to be removed, since only the log protects a file.
 */
function* uploadAll(files: readonly Upload[], uploaded: Set<string>): Protocol<void> {
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const due = files.filter(({ key }) => !uploaded.has(key))
    if (due.length === 0) return
    const answer = yield* untilKnown({ kind: 'upload', files: due })
    if (answer.kind !== 'uploaded') throw new TypeError(`An upload was answered with ${answer.kind}`)
    for (const key of answer.keys) uploaded.add(key)
    if (answer.keys.length < due.length && (yield* isLateAfter(waitMs))) throw new BucketAwayError()
  }
}

/**
 * Creates the entry, and gives the one that has its position then: this one or another's; null where another process of
 * this machine has applied it meanwhile.
 */
function* create<Wish>(replica: Replica<Wish>, draft: Draft): Protocol<EntryObject | null> {
  const key = entryKey(draft.position)
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const answer = yield { kind: 'create', key, bytes: draft.bytes }
    if (answer.kind === 'refused') throw new CausedError(answer.why)
    if (answer.kind === 'created') return own(draft)
    // A repeated request loses against itself, so who won is in the object alone.
    const found = yield { kind: 'get', keys: [key] }
    if (found.kind === 'found') {
      const [bytes] = found.objects
      if (bytes !== undefined) return winnerOf(replica, draft, bytes)
      // What was sent may still arrive: the same request again, so that it cannot count twice.
    }
    if (found.kind === 'refused') throw new EntryUnknownError()
    if (yield* isLateAfter(waitMs)) throw new EntryUnknownError()
  }
}

function own(draft: Draft): EntryObject {
  const entry = readLogObject(draft.bytes)
  if (entry.kind !== 'entry') throw new TypeError('A draft is not an entry')
  return entry
}

function winnerOf<Wish>(replica: Replica<Wish>, draft: Draft, bytes: Uint8Array): EntryObject | null {
  const end = replica.end()
  if (end.position < draft.position) return entryBehind(end, bytes)
  const found = readLogObject(bytes)
  return found.kind === 'entry' && found.writer === draft.writer ? found : null
}

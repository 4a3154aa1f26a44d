import { CausedError } from '@galley/wire'

import { EntryUnappliedError } from '../log/entry-unapplied.ts'
import type { EntryObject } from './entry-object.ts'
import { isUnreadable, readLogObject } from './entry-object.ts'
import { confirmEnd, entryBehind, follow } from './follow.ts'
import { entryKey } from './keys.ts'
import type { EntryDraft, Replica } from './replica.ts'
import type { Protocol, Upload } from './requests.ts'
import { BucketAwayError, firstWaitMs, isLateAfter, longer, pauseAfter, untilKnown } from './requests.ts'

/** It is not known whether the entry is in the log or will be. A repeated request is answered from the log. */
export class EntryUnknownError extends Error {
  readonly code = 'entry_unknown'
  constructor() {
    super('The bucket of the team did not say whether it has the entry')
  }
}

/**
 * Writes pending changes as one entry: decides at the end of the log, creates the entry there, and applies it. If
 * another machine wins the position, its entry is applied and the decision is made again. Nothing is refused before the
 * log was read to its end, and nothing is written before `confirm` has found the log whole. Throws EntryUnknownError, and
 * EntryUnappliedError, and
 * what `follow` and `confirm` throw if nothing was written.
 */
export function* writeEntry<Write>(
  replica: Replica<Write>,
  write: Write,
  confirm: () => Protocol<void> = () => confirmEnd(replica),
): Protocol<void> {
  const uploaded = new Set<string>()
  for (let isUpToDate = false, isConfirmed = false; ;) {
    const drafted = replica.draft(write, isUpToDate)
    if (drafted.kind === 'nothing') return
    if (drafted.kind === 'read_log') {
      yield* follow(replica)
      isUpToDate = true
      continue
    }
    if (!isConfirmed) yield* confirm()
    isConfirmed = true
    yield* uploadAll(drafted.uploads, uploaded)
    const winner = yield* create(replica, drafted)
    const isOurs = winner?.writer === drafted.writer
    try {
      if (winner !== null) replica.take(winner)
    } catch (error) {
      throw isOurs ? new EntryUnappliedError(error) : error
    }
    if (isOurs) return
  }
}

/**
 * Sends the files that are not known to be stored. It does not ask whether they exist: an existing object may be about
 * to be removed, since only the log protects a file.
 */
export function* uploadAll(files: readonly Upload[], uploaded = new Set<string>()): Protocol<void> {
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const due = files.filter(({ key }) => !uploaded.has(key))
    if (due.length === 0) return
    const answer = yield* untilKnown({ kind: 'upload', files: due })
    if (answer.kind !== 'uploaded') throw new TypeError(`An upload was answered with ${answer.kind}`)
    for (const key of answer.keys) uploaded.add(key)
    if (answer.keys.length < due.length && (yield* isLateAfter(pauseAfter(waitMs, answer)))) throw new BucketAwayError()
  }
}

/**
 * Creates the entry and returns the one that got its position: this one or another writer's. Null if another process on
 * this machine has applied it already.
 */
function* create<Write>(replica: Replica<Write>, draft: EntryDraft): Protocol<EntryObject | null> {
  const key = entryKey(draft.position)
  let mayBeThere = false
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const answer = yield { kind: 'create', key, bytes: draft.bytes }
    // An earlier attempt may have been carried out, so a refusal of this one does not mean that nothing was written.
    if (answer.kind === 'refused') throw mayBeThere ? new EntryUnknownError() : new CausedError(answer.why)
    if (answer.kind === 'created') return own(draft)
    mayBeThere ||= answer.kind !== 'exists'
    // A repeated request loses against itself, so only the object shows which writer won.
    const found = yield { kind: 'get', keys: [key] }
    if (found.kind === 'found') {
      const [bytes] = found.objects
      // An unreadable object may be this entry, cut off during the upload.
      const isCut = bytes !== undefined && mayBeThere && isUnreadable(readLogObject(bytes))
      if (bytes !== undefined && !isCut) return winnerOf(replica, draft, bytes)
      // An earlier request may still arrive, so send the same bytes again: they cannot count twice.
    }
    if (found.kind === 'refused') throw new EntryUnknownError()
    if (yield* isLateAfter(pauseAfter(pauseAfter(waitMs, answer), found))) throw new EntryUnknownError()
  }
}

function own(draft: EntryDraft): EntryObject {
  const entry = readLogObject(draft.bytes)
  if (entry.kind !== 'entry') throw new TypeError('A draft is not an entry')
  return entry
}

function winnerOf<Write>(replica: Replica<Write>, draft: EntryDraft, bytes: Uint8Array): EntryObject | null {
  const end = replica.end()
  if (end.position < draft.position) return entryBehind(end, bytes)
  const found = readLogObject(bytes)
  return found.kind === 'entry' && found.writer === draft.writer ? found : null
}

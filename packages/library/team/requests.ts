import type { Cause, Sha256 } from '@galley/wire'
import { CausedError } from '@galley/wire'

import type { CheckpointKey, EntryKey, FileKey } from './keys.ts'

// The protocol of a team library yields requests to the bucket as values and receives the answers. It consists of
// generators without side effects: a driver sends the requests in production, and a simulator plays a hostile bucket in
// tests.

/** A file of the vault, and the key of its object. */
export interface Upload {
  readonly file: Sha256
  readonly key: FileKey
}

/** Requests to the bucket. None of them removes an entry of the log. */
export type Request =
  /** Creates an entry if its key is not in use yet. */
  | { readonly kind: 'create'; readonly key: EntryKey; readonly bytes: Uint8Array }
  /** Reads entries in this order, up to the first one that does not exist. */
  | { readonly kind: 'get'; readonly keys: readonly EntryKey[] }
  /** Lists some of the keys after a key, in order. */
  | { readonly kind: 'list'; readonly under: 'checkpoints/' | 'files/' | 'log/'; readonly after: string }
  /** Replaces entries in parallel: those that a checkpoint covers by a marker, a damaged one by its line. */
  | { readonly kind: 'replace'; readonly keys: readonly EntryKey[]; readonly bytes: Uint8Array }
  /** Sends files of the vault in parallel, whether or not their objects exist. */
  | { readonly kind: 'upload'; readonly files: readonly Upload[] }
  /** Removes objects in parallel, whether or not they exist. */
  | { readonly kind: 'remove'; readonly keys: readonly (FileKey | CheckpointKey)[] }
  /** Sends this machine's checkpoint at a position and reads it back. */
  | { readonly kind: 'send_checkpoint'; readonly key: CheckpointKey }
  /** Restores the replica from a checkpoint; answered with `absent` also if the checkpoint cannot be used, or is `newer`. */
  | { readonly kind: 'load_checkpoint'; readonly key: CheckpointKey }
  /** Reads a whole checkpoint and changes nothing; answered in the same way. */
  | { readonly kind: 'check_checkpoint'; readonly key: CheckpointKey }
  /** Waits before the next attempt; 0: lets other work of the process run. */
  | { readonly kind: 'wait'; readonly ms: number }

/** The bucket refused, and another attempt will not help: wrong keys, or no such bucket. */
export interface Refused {
  readonly kind: 'refused'
  readonly why: Cause
}

/**
 * It is not known whether the request was carried out: a timeout, a lost connection, or a temporary storage error. `afterMs`:
 * the storage asks to wait so long before the next attempt.
 */
export interface Unknown {
  readonly kind: 'unknown'
  readonly afterMs?: number
}

/** An object, as a list reports it. */
export interface ListedObject {
  readonly sizeBytes: number
  /** The ETag, if it looks like an MD5 hash. That of an encrypted object also looks like one. */
  readonly md5: string | null
}

/** Some keys in order, and what the storage reports about their objects. */
export interface Listed {
  readonly kind: 'listed'
  readonly keys: readonly string[]
  readonly objects: ReadonlyMap<string, ListedObject>
}

export type Answer =
  | Refused
  | Unknown
  | { readonly kind: 'created' }
  | { readonly kind: 'exists' }
  /** The objects up to the first one that does not exist. `isCut`: it is not known whether the next one exists. */
  | { readonly kind: 'found'; readonly objects: readonly Uint8Array[]; readonly isCut: boolean }
  | Listed
  | { readonly kind: 'done' }
  /** These files of an upload are stored; for the others, this is not known, as for `Unknown`. */
  | { readonly kind: 'uploaded'; readonly keys: readonly FileKey[]; readonly afterMs?: number }
  | { readonly kind: 'absent' }
  /** A newer Galley wrote it. */
  | { readonly kind: 'newer' }
  /** The local disk has no room for it. */
  | { readonly kind: 'no_room' }
  /** `isLate`: there is no time for another attempt. */
  | { readonly kind: 'waited'; readonly isLate: boolean }

/** `unfit`: it is damaged, or of another library. */
export type CheckpointVerdict = 'fit' | 'unfit' | 'newer' | 'no_room'

/** The local checkpoint files, named by their positions. */
export interface CheckpointFiles {
  pathOf(position: number): string
  /** How many bytes a fetched one may take on this disk. */
  maxBytes(): Promise<number>
  /**
   * Restores the replica from a fetched file, and moves it to its path. What cannot be used replaces nothing: this machine
   * may need the one that is there. Throws disk and index errors.
   */
  take(position: number, fetched: string): Promise<CheckpointVerdict>
  /** Whether a computer that is behind the fetched checkpoint could start from it. */
  judge(position: number, fetched: string): Promise<CheckpointVerdict>
}

export type Protocol<Value> = Generator<Request, Value, Answer>

/** The bucket did not answer in time. Nothing was decided; reads and writes can be repeated. */
export class BucketAwayError extends Error {
  readonly code = 'bucket_away'
  constructor() {
    super('The bucket of the team does not answer')
  }
}

// Not `retrying` of platform/timing: a pause is itself a request, so that a simulated clock can run the protocol.
/** Repeats a request until its answer is known. Throws CausedError, BucketAwayError. */
export function* untilKnown(request: Request): Protocol<Exclude<Answer, Refused | Unknown>> {
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const answer = yield request
    if (answer.kind === 'refused') throw new CausedError(answer.why)
    if (answer.kind !== 'unknown') return answer
    if (yield* isLateAfter(pauseAfter(waitMs, answer))) throw new BucketAwayError()
  }
}

export const firstWaitMs = 100
export const longer = (waitMs: number): number => Math.min(waitMs * 2, 2000)

/** The next pause: as long as the storage asks for, and no shorter than without. */
export const pauseAfter = (waitMs: number, answer: Answer): number =>
  Math.max(waitMs, 'afterMs' in answer ? (answer.afterMs ?? 0) : 0)

export function* isLateAfter(ms: number): Protocol<boolean> {
  const answer = yield { kind: 'wait', ms }
  return answer.kind !== 'waited' || answer.isLate
}

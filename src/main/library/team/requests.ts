import type { Cause } from '../../../contract/cause.ts'
import { CausedError } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { CheckpointKey, EntryKey, FileKey } from './keys.ts'

// The protocol of a team library says what it wants of the bucket as values and is told how that went. It is made of
// generators and does no work of its own: a driver sends the requests, and a simulator plays a hostile bucket.

/** A file of the vault, and the key that its object gets. */
export interface Upload {
  readonly file: Sha256
  readonly key: FileKey
}

/** What is wanted of the bucket. No request removes an entry of the log. */
export type Request =
  /** Makes an entry, if there is none with this key yet. */
  | { readonly kind: 'create'; readonly key: EntryKey; readonly bytes: Uint8Array }
  /** Reads entries in this order, up to the first that is not there. */
  | { readonly kind: 'get'; readonly keys: readonly EntryKey[] }
  /** Names checkpoints or files behind a key, in their order; not necessarily all of them. */
  | { readonly kind: 'list'; readonly under: 'checkpoints/' | 'files/'; readonly after: string }
  /** Puts a marker into the places of entries that a checkpoint stands for, side by side. */
  | { readonly kind: 'fold'; readonly keys: readonly EntryKey[]; readonly bytes: Uint8Array }
  /** Sends files of the vault side by side, whether objects have their keys or not. */
  | { readonly kind: 'upload'; readonly files: readonly Upload[] }
  /** Removes objects side by side, whether they are there or not. */
  | { readonly kind: 'remove'; readonly keys: readonly (FileKey | CheckpointKey)[] }
  /** Sends the checkpoint of this machine at a position, and reads it again. */
  | { readonly kind: 'send_checkpoint'; readonly key: CheckpointKey }
  /** Has the replica begin with a checkpoint; answered with `absent` also where it does not fit. */
  | { readonly kind: 'load_checkpoint'; readonly key: CheckpointKey }
  /** Time goes by before another try. */
  | { readonly kind: 'wait'; readonly ms: number }

/** The bucket said no, and will say it again: wrong keys, or no such bucket. */
export interface Refused {
  readonly kind: 'refused'
  readonly why: Cause
}

export type Answer =
  | Refused
  /** Nobody knows whether it was done: a time-out, a cut connection, or a passing fault of the storage. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'created' }
  | { readonly kind: 'exists' }
  /** The objects from the first key on, up to the first that is not there; `isCut`: nobody knows whether that one is. */
  | { readonly kind: 'found'; readonly objects: readonly Uint8Array[]; readonly isCut: boolean }
  | { readonly kind: 'listed'; readonly keys: readonly string[] }
  | { readonly kind: 'done' }
  /** These files of an upload are stored; nobody knows of the others. */
  | { readonly kind: 'uploaded'; readonly keys: readonly FileKey[] }
  | { readonly kind: 'absent' }
  /** `isLate`: there is no time for another try. */
  | { readonly kind: 'waited'; readonly isLate: boolean }

/** The checkpoints of this machine, as files named by their positions. */
export interface CheckpointFiles {
  pathOf(position: number): string
  /** Has the replica begin with one that was fetched to its path; false where it does not fit. Throws what disk and index do. */
  take(position: number): Promise<boolean>
}

export type Protocol<Value> = Generator<Request, Value, Answer>

/** The bucket did not answer in time. What was read or sent may be asked for again; nothing was decided. */
export class BucketAwayError extends Error {
  readonly code = 'bucket_away'
  constructor() {
    super('The bucket of the team does not answer')
  }
}

/** An answer that is not `unknown` to a request that may be repeated; throws CausedError, BucketAwayError. */
export function* untilKnown(request: Request): Protocol<Exclude<Answer, Refused | { kind: 'unknown' }>> {
  for (let waitMs = firstWaitMs; ; waitMs = longer(waitMs)) {
    const answer = yield request
    if (answer.kind === 'refused') throw new CausedError(answer.why)
    if (answer.kind !== 'unknown') return answer
    if (yield* isLateAfter(waitMs)) throw new BucketAwayError()
  }
}

export const firstWaitMs = 100
export const longer = (waitMs: number): number => Math.min(waitMs * 2, 2000)

export function* isLateAfter(ms: number): Protocol<boolean> {
  const answer = yield { kind: 'wait', ms }
  return answer.kind !== 'waited' || answer.isLate
}

import type { Readable } from 'node:stream'

import type { Refused } from '../team/requests.ts'

/** Bytes to send, which can be read more than once. */
export interface Payload {
  readonly sha256: string
  readonly sizeBytes: number
  read(): Readable
}

/** Nobody knows whether it was done: a time-out, a cut connection, or a passing fault of the storage. */
export interface Unknown {
  readonly kind: 'unknown'
}

/** What a team library needs of a bucket. Keys are below the prefix of the library. Each call is one request, sent once. */
export interface SharedBucket {
  /** Creates an object if there is none with this key. */
  create(key: string, bytes: Uint8Array): Promise<{ readonly kind: 'created' | 'exists' } | Unknown | Refused>
  /** The whole of a small object. */
  get(
    key: string,
  ): Promise<{ readonly kind: 'found'; readonly bytes: Uint8Array } | { readonly kind: 'absent' } | Unknown | Refused>
  /** The bytes of an object of any size, into a new file; gives their SHA-256. Throws what the disk throws. */
  fetch(
    key: string,
    path: string,
  ): Promise<{ readonly kind: 'found'; readonly sha256: string } | { readonly kind: 'absent' } | Unknown | Refused>
  /** Keys that begin so and lie behind one, in their order; not necessarily all of them. */
  listAfter(
    under: string,
    after: string,
  ): Promise<{ readonly kind: 'listed'; readonly keys: readonly string[] } | Unknown | Refused>
  /** Writes an object, whether there is one or not. */
  put(key: string, payload: Payload): Promise<{ readonly kind: 'done' } | Unknown | Refused>
  /** Removes a file, a checkpoint or the object of a probe; never an entry. */
  remove(
    key: `files/${string}` | `checkpoints/${string}` | `probe/${string}`,
  ): Promise<{ readonly kind: 'done' } | Unknown | Refused>
}

import type { Readable } from 'node:stream'
import type { Listed, Refused, Unknown } from '@galley/library'

/** Bytes to send, which can be read more than once. */
export interface Payload {
  readonly sha256: string
  readonly sizeBytes: number
  read(): Readable
}

export type GetAnswer =
  | { readonly kind: 'found'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | Unknown
  | Refused

/**
 * What a team library needs from a bucket. Keys are below the prefix of the library. Each call is one request, sent
 * once.
 */
export interface SharedBucket {
  /** Creates an object if its key is not in use yet. */
  create(key: string, bytes: Uint8Array): Promise<{ readonly kind: 'created' | 'exists' } | Unknown | Refused>
  /** Reads the whole of an object that fits into memory. */
  get(key: string): Promise<GetAnswer>
  /** The same of one that may be too large for its turn: `longer` if it has more bytes than this. */
  getUpTo(key: string, maxBytes: number): Promise<GetAnswer | { readonly kind: 'longer' }>
  /**
   * Streams an object into a new file and returns its SHA-256. `longer`: it has more bytes than this, and the rest was not
   * read. Throws disk errors.
   */
  fetch(
    key: string,
    path: string,
    maxBytes: number,
  ): Promise<
    | { readonly kind: 'found'; readonly sha256: string }
    | { readonly kind: 'absent' }
    | { readonly kind: 'longer' }
    | Unknown
    | Refused
  >
  /** Some of the keys that begin with `under` and come after another key, in order. */
  listAfter(under: string, after: string): Promise<Listed | Unknown | Refused>
  /** Writes an object, whether or not it exists. */
  put(key: string, payload: Payload): Promise<{ readonly kind: 'done' } | Unknown | Refused>
  /** Removes a file, a text of a release, a checkpoint or a probe object; never an entry. */
  remove(
    key: `files/${string}` | `checkpoints/${string}` | `probe/${string}`,
  ): Promise<{ readonly kind: 'done' } | Unknown | Refused>
}

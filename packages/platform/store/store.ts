import { Readable } from 'node:stream'

import { sha256Of } from '../disk/sha256.ts'
import type { PartNotes } from '../s3/upload.ts'

/** A file to send, and its bytes, which may be read more than once. */
export interface OutgoingFile {
  /** Relative to the store, with `/` between names. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  /** What a web server should say of it, if the store can hold that. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether it may be stored compressed. */
  readonly isText: boolean
  read(offset: number, sizeBytes: number): Readable & { readonly bytesRead?: number }
}

/** A file as a store lists it. `md5` null: the store does not say. */
export interface ListedFile {
  readonly bytes: number
  readonly md5: string | null
}

/** The form in which a store has a file: its size where that differs, and its MD5 if the store reports it. */
export interface StoredForm {
  readonly storedBytes?: number | undefined
  readonly md5?: string | undefined
}

/**
 * Files at one address, as everything that is published needs them: a folder, a bucket or a server. Faults are thrown as
 * storage faults.
 */
export interface Store {
  /** How many files are sent concurrently. */
  readonly atATime: number
  /** Those of these paths that exist. */
  list(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ListedFile>>
  /** Whether this file is in its place, as far as the store can tell without sending it; `refused`: it does not say. */
  head(file: OutgoingFile, signal: AbortSignal): Promise<'there' | 'missing' | 'refused'>
  /** Passes the bytes of a file to `take`, as they were before they were compressed; null: it does not exist. */
  get<Value>(path: string, take: (bytes: AsyncIterable<Buffer>) => Promise<Value>): Promise<Value | null>
  /** Replaces a file atomically: others see the previous content or this one. */
  put(file: OutgoingFile, signal: AbortSignal, parts?: PartNotes): Promise<StoredForm>
  /** Deletes files that may be missing, pages before the others. */
  delete(paths: readonly string[], signal: AbortSignal): Promise<void>
  /** Writes a small page for a moment, and first deletes those that killed processes left; the returned function deletes it. */
  probe(path: string, text: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** The text of a small file; null if it does not exist. */
export const textAt = (store: Pick<Store, 'get'>, path: string): Promise<string | null> =>
  store.get(path, async (bytes) => {
    const chunks: Buffer[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  })

/** A small file, of which caches keep nothing. */
export function textFile(path: string, text: string, type = 'application/json'): OutgoingFile {
  const bytes = Buffer.from(text)
  return {
    path,
    bytes: bytes.length,
    sha256: sha256Of(bytes),
    headers: { 'content-type': type, 'cache-control': 'no-store' },
    isText: false,
    read: (offset, sizeBytes) => Readable.from([bytes.subarray(offset, offset + sizeBytes)]),
  }
}

import { createHash } from 'node:crypto'
import type { ExportFailure } from '@galley/library/records'
import { storageCause } from '@galley/platform'
import type { Result, Sha256 } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { BundleSource } from './source.ts'

/** A stored file for an export. `name` is for messages; `sizeBytes` comes from the index, if it knows the size. */
export interface WantedBlob {
  readonly name: string
  readonly sha256: Sha256
  readonly sizeBytes?: number
}

/** A stream of a blob's bytes. Once all have been read, `failure` says whether they match the saved hash. */
export interface VerifiedBlob {
  readonly chunks: AsyncIterable<Buffer>
  failure(): ExportFailure | null
}

/**
 * Hashes a blob while it is read. If the library cannot be read, the stream ends early and sets `failure`; writers
 * see only errors of the target.
 */
export function verifiedBlob(
  source: Pick<BundleSource, 'openBlob'>,
  { name, sha256, sizeBytes }: WantedBlob,
): VerifiedBlob {
  let problem: 'altered' | 'unreadable' | null = 'unreadable'
  async function* chunks(): AsyncIterable<Buffer> {
    const hash = createHash('sha256')
    let read = 0
    const stored = source.openBlob(sha256)[Symbol.asyncIterator]()
    try {
      while (true) {
        let next: IteratorResult<Buffer>
        try {
          next = await stored.next()
        } catch (error) {
          // Missing, locked, or on a failing disk: the message is the same and suggests fsck.
          if (storageCause(error).code === 'file_altered') problem = 'altered'
          return
        }
        if (next.done === true) break
        hash.update(next.value)
        read += next.value.length
        yield next.value
      }
    } finally {
      await stored.return?.()
    }
    problem = hash.digest('hex') === sha256 && read === (sizeBytes ?? read) ? null : 'altered'
  }
  return {
    chunks: chunks(),
    failure: () => (problem === null ? null : { code: 'damaged_blob', name, sha256, problem }),
  }
}

/** A stored text, checked against its hash, without its byte order mark. */
export async function verifiedText(
  source: Pick<BundleSource, 'openBlob'>,
  wanted: WantedBlob,
): Promise<Result<string, ExportFailure>> {
  const bytes = await verifiedBytes(source, wanted)
  return bytes.ok ? ok(new TextDecoder().decode(bytes.value)) : bytes
}

/** A stored file, checked against its hash. */
export async function verifiedBytes(
  source: Pick<BundleSource, 'openBlob'>,
  wanted: WantedBlob,
): Promise<Result<Buffer, ExportFailure>> {
  const blob = verifiedBlob(source, wanted)
  const chunks: Buffer[] = []
  for await (const chunk of blob.chunks) chunks.push(chunk)
  const failure = blob.failure()
  return failure === null ? ok(Buffer.concat(chunks)) : fail(failure)
}

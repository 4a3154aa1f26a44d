import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { BundleSource } from './source.ts'

/** A stored file that an export takes in; `name` is for messages, `sizeBytes` as the index says, where it does. */
export interface WantedBlob {
  readonly name: string
  readonly sha256: Sha256
  readonly sizeBytes?: number
}

/** A blob's bytes on their way; `failure` says, once they have all gone by, whether they were the ones that were saved. */
export interface VerifiedBlob {
  readonly chunks: AsyncIterable<Buffer>
  failure(): ExportFailure | null
}

/**
 * Hashes a blob while it is read. A library that cannot be read ends the bytes early and shows in `failure`, so that
 * whoever writes them meets only errors of the target.
 */
export function verifiedBlob(
  source: Pick<BundleSource, 'openBlob'>,
  { name, sha256, sizeBytes }: WantedBlob,
): VerifiedBlob {
  let problem: 'altered' | 'unreadable' | null = 'unreadable'
  async function* chunks(): AsyncIterable<Buffer> {
    const hash = createHash('sha256')
    let read = 0
    const stream = source.openBlob(sha256)
    try {
      for await (const chunk of toleratingErrors(stream)) {
        hash.update(chunk)
        read += chunk.length
        yield chunk
      }
    } finally {
      stream.destroy()
    }
    if (stream.errored !== null) return
    problem = hash.digest('hex') === sha256 && read === (sizeBytes ?? read) ? null : 'altered'
  }
  return {
    chunks: chunks(),
    failure: () => (problem === null ? null : { kind: 'damaged_blob', name, sha256, problem }),
  }
}

/** The bytes of a stream up to its end or its first error, which stays in `errored`. */
async function* toleratingErrors(stream: Readable): AsyncIterable<Buffer> {
  const chunks = stream.iterator({ destroyOnReturn: false })
  while (true) {
    let next: IteratorResult<unknown>
    try {
      next = await chunks.next()
    } catch (error) {
      if (stream.errored === null) throw error
      // Missing, locked or on a failing disk: all the same to the reader of the message, who is sent to fsck.
      return
    }
    if (next.done === true) return
    yield Buffer.isBuffer(next.value) ? next.value : Buffer.from(String(next.value))
  }
}

/** A whole stored text, checked against its hash; a byte order mark is dropped. */
export async function verifiedText(
  source: Pick<BundleSource, 'openBlob'>,
  wanted: WantedBlob,
): Promise<Result<string, ExportFailure>> {
  const bytes = await verifiedBytes(source, wanted)
  return bytes.ok ? ok(new TextDecoder().decode(bytes.value)) : bytes
}

/** A whole stored file, checked against its hash. */
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

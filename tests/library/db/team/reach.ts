import { Readable } from 'node:stream'
import type { Agent } from 'undici'

import type { RunProtocol } from '../../../../packages/library/db/team/team-commit.ts'
import { runProtocol } from '../../../../packages/team/bucket/run-protocol.ts'
import { createS3SharedBucket } from '../../../../packages/team/bucket/s3-shared-bucket.ts'
import type { SharedBucket } from '../../../../packages/team/bucket/shared-bucket.ts'
import { sha256Of } from '../../../../packages/team/bucket/single-request.ts'

/** A storage that a test has started. */
export interface Storage {
  readonly url: string
  readonly keys: { readonly id: string; readonly secret: string }
  /** `team` if it is missing. */
  readonly bucket?: string
}

/** The bucket of a storage, and what runs protocols against it. Files of the vault are stood in for by their names. */
export function reach(
  { url, keys, bucket: name = 'team' }: Storage,
  agent: Agent,
): { readonly bucket: SharedBucket; readonly run: RunProtocol } {
  const bucket = createS3SharedBucket({
    name,
    root: `${url}/${name}`,
    prefix: 'library/',
    region: 'us-east-1',
    keys,
    agent,
  })
  const run: RunProtocol = (protocol, _forMs, checkpoints) =>
    runProtocol(protocol, {
      bucket,
      timeLimitMs: 10_000,
      ...(checkpoints && { checkpoints }),
      payloadOf(file) {
        const bytes = Buffer.from(file)
        return { sha256: sha256Of(bytes), sizeBytes: bytes.length, read: () => Readable.from([bytes]) }
      },
    })
  return { bucket, run }
}

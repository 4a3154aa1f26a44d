import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { digestFrom } from '@galley/platform'

import type { Payload } from './shared-bucket.ts'

/** The bytes of a local file as they are sent. */
export const payloadOfFile = (path: string, sha256: string): Payload => ({
  sha256,
  sizeBytes: statSync(path).size,
  read: () => createReadStream(path),
})

export const sha256OfFile = (path: string): Promise<string> => digestFrom(createHash('sha256'), createReadStream(path))

import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'

import type { Payload } from './shared-bucket.ts'

/** The bytes of a local file as they are sent. */
export const payloadOfFile = (path: string, sha256: string): Payload => ({
  sha256,
  sizeBytes: statSync(path).size,
  read: () => createReadStream(path),
})

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

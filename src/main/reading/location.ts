import { open } from 'node:fs/promises'

import type { BlobLocation } from '../background/jobs.ts'

/** The stored text at this place. */
export async function textAt({ path, offset, sizeBytes }: BlobLocation): Promise<string> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(sizeBytes)
    let at = 0
    while (at < sizeBytes) {
      const { bytesRead } = await file.read(bytes, at, sizeBytes - at, offset + at)
      if (bytesRead === 0) throw new Error('A stored file is shorter than the index says')
      at += bytesRead
    }
    return new TextDecoder().decode(bytes)
  } finally {
    await file.close()
  }
}

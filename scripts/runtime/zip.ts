/** Unpacks selected entries of a ZIP file as streams, one after another. */

import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'

/** `placeOf` returns the path for an entry, or null to skip it. Unix permissions are kept. */
export async function extractZip(file: string, placeOf: (entry: string) => string | null): Promise<void> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    const place = entry.fileName.endsWith('/') ? null : placeOf(entry.fileName)
    if (place === null) continue
    mkdirSync(dirname(place), { recursive: true })
    const mode = (entry.externalFileAttributes >>> 16) & 0o777
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(place, { mode: mode || 0o644 }))
  }
}

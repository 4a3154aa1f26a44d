/** Unpacks the wanted entries of a ZIP file, streamed one after another. */
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'

/** `placeOf` says where an entry goes, or null for one that is not wanted. Unix permissions are kept. */
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

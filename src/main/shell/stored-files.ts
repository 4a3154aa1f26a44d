import { Readable } from 'node:stream'
import type { IndexReads, Vault } from '@galley/library'
import { createCheckedFiles } from '@galley/library'
import { storedMediaType, typeBytes } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import { readStoredFileUrl } from '../../ipc/stored-file-url.ts'

/** The types that the window shows: only images and fonts of untrusted content. */
const isShown = (type: string): boolean => type.startsWith('image/') || type.startsWith('font/')

interface StoredFilePorts {
  readonly index: IndexReads
  readonly vault: Vault
  readonly log: (line: string) => void
}

/**
 * Serves stored images and fonts to the window by hash. The hash is looked up in the index: no path is derived from a URL.
 * Files that have changed since they were stored are not served. null for any other URL.
 */
export function createStoredFiles({ index, vault, log }: StoredFilePorts) {
  const files = createCheckedFiles(log)

  async function answer({ sha256, name }: { sha256: Sha256; name: string }, method: string): Promise<Response> {
    const slice = method === 'GET' ? index.blobs.find(sha256) : null
    if (slice === null) return new Response(null, { status: 404 })
    const { offset, sizeBytes } = slice
    const opened = await files.open(sha256, await vault.locate(slice))
    if (opened.kind !== 'whole') return new Response(null, { status: opened.kind === 'missing' ? 404 : 500 })
    const type = await storedMediaType(name, async () => {
      const start = Buffer.alloc(Math.min(typeBytes, sizeBytes))
      await opened.handle.read(start, 0, start.length, offset)
      return start
    })
    if (!isShown(type)) {
      await opened.handle.close()
      return new Response(null, { status: 404 })
    }
    // createReadStream cannot express an empty range.
    if (sizeBytes === 0) await opened.handle.close()
    const bytes =
      sizeBytes === 0
        ? Readable.from([])
        : opened.handle.createReadStream({ start: offset, end: offset + sizeBytes - 1 })
    const headers = {
      'Content-Type': type,
      'Content-Length': String(sizeBytes),
      // The URL contains the hash of the content.
      'Cache-Control': 'private, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      // An SVG opened on its own runs and loads nothing.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    }
    return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, { headers })
  }

  return (url: string, method: string): Promise<Response> | null => {
    const wanted = readStoredFileUrl(url)
    return wanted && answer(wanted, method)
  }
}

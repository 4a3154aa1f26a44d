import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError, sha256Of } from '@galley/platform'
import type { Sha256 } from '@galley/wire'
import { isSha256 } from '@galley/wire'

/** In the order in which they are looked for. */
const names = ['picture.png', 'picture.webp', 'picture.jpg']

/** Screenshots are smaller; larger files are not shown. */
const maxBytes = 2 * 1024 ** 2
/** The oldest pictures above this number are dropped. */
const keptAtMost = 50

/** The type is detected from the first bytes, because the name proves nothing. */
function typeOf(bytes: Buffer): string | null {
  if (bytes.subarray(0, 8).toString('latin1') === '\u0089PNG\r\n\u001A\n') return 'image/png'
  if (bytes.subarray(0, 3).toString('hex') === 'ffd8ff') return 'image/jpeg'
  return bytes.subarray(0, 4).toString() === 'RIFF' && bytes.subarray(8, 12).toString() === 'WEBP' ? 'image/webp' : null
}

/** The URL of a theme's picture for the window: by its hash, never by path. */
const themePictureUrl = (sha256: Sha256): string => `app://galley/theme-picture/${sha256}`

/** The hash of such an address; null for any other. */
function readThemePictureUrl(url: string): Sha256 | null {
  const [, sha256 = ''] = /^app:\/\/galley\/theme-picture\/([^/]+)$/.exec(url) ?? []
  return isSha256(sha256) ? sha256 : null
}

/** The pictures of the themes that the window lists. They are served from memory by hash: no path is built from a URL. */
export function createThemePictures() {
  const kept = new Map<Sha256, { readonly bytes: Buffer; readonly type: string }>()
  return {
    /** The address of the picture in a theme's folder; null: it has none that can be shown. */
    async read(folder: string): Promise<string | null> {
      for (const name of names) {
        const bytes = await beginningOf(join(folder, name))
        const type = bytes === null || bytes.length > maxBytes ? null : typeOf(bytes)
        if (bytes === null || type === null) continue
        const sha256 = sha256Of(bytes)
        kept.delete(sha256)
        kept.set(sha256, { bytes, type })
        for (const oldest of [...kept.keys()].slice(0, -keptAtMost)) kept.delete(oldest)
        return themePictureUrl(sha256)
      }
      return null
    },
    /** Null for any other URL. */
    answer(url: string, method: string): Promise<Response> | null {
      const sha256 = readThemePictureUrl(url)
      if (sha256 === null) return null
      const found = method === 'GET' ? kept.get(sha256) : undefined
      if (found === undefined) return Promise.resolve(new Response(null, { status: 404 }))
      const headers = {
        'Content-Type': found.type,
        'Cache-Control': 'private, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
      }
      return Promise.resolve(new Response(new Uint8Array(found.bytes), { headers }))
    },
  }
}

export type ThemePictures = ReturnType<typeof createThemePictures>

/** One byte more than may be shown, so that a file that is too large is known by its length. */
async function beginningOf(file: string): Promise<Buffer | null> {
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (isSystemError(error)) return null
    throw error
  }
}

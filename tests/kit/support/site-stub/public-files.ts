import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { posix } from 'node:path'

import { sendWithoutEnd } from '../../../support/without-end.ts'
import type { Has } from './faults.ts'

/** The files that the stub has made public, below `/files/` of its origin. */
export function createPublicFiles(has: Has, origin: string) {
  const files = new Map<string, { readonly bytes: Buffer; readonly type: string }>()
  let served = 0

  function serve(path: string, response: ServerResponse): void {
    const file = files.get(path)
    served += 1
    if (has('cuts-the-first-file') && served === 1) return void response.destroy()
    if (has('cuts-media')) return void response.destroy()
    if (has('cuts-one-picture') && path.endsWith('/typed.png')) return void response.destroy()
    if (has('serves-without-end')) return sendWithoutEnd(response)
    if (has('is-busy-with-scripts') && /\.(?:svg|html)$/.test(path)) return void response.writeHead(503).end()
    if (!file || has('serves-to-nobody')) return void response.writeHead(404).end()
    const still = {
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'content-security-policy': 'sandbox',
    }
    if (has('serves-media-once') && file.type === 'image/png') files.delete(path)
    const bare = has('serves-bare-files')
    response
      .writeHead(200, bare ? { 'content-type': 'text/html' } : { 'content-type': file.type, ...still })
      .end(has('optimises-pictures') && file.type === 'image/png' ? smaller(file.bytes) : file.bytes)
  }

  /** Makes a file public; its URL. */
  function publish(name: string, bytes: Buffer): string {
    const isFont = /woff|eot|css/.test(name)
    const folder = has('stores-by-name', 'keeps-first-file')
      ? 'all'
      : createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    const path = `/files/${folder}${has('queries-in-urls') && !isFont ? '?name=' : '/'}${encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`
    const type =
      { png: 'image/png', svg: 'image/svg+xml', html: 'text/html', css: 'text/css' }[name.split('.').at(-1) ?? ''] ??
      'application/octet-stream'
    const joined = name.replace(/%2e/gi, '.')
    if (has('joins-names-to-paths') && joined.includes('../')) {
      files.set(posix.join('/files', folder, joined), { bytes, type })
      return `${origin}/files/${folder}/${name}`
    }
    if (!has('keeps-first-file') || !files.has(path)) files.set(path, { bytes, type })
    if (has('relative-urls')) return path
    if (has('names-an-unknown-host')) return `http://media.invalid${path}`
    return has('unencoded-urls') && !isFont ? `${origin}/files/${folder}/${name}` : origin + path
  }

  return { serve, publish, remove: (url: string) => files.delete(new URL(url).pathname) }
}

/** The same picture without the note in it, as optimisers leave it. */
function smaller(png: Buffer): Buffer {
  const at = png.indexOf('tEXt', 0, 'latin1') - 4
  return at < 0 ? png : Buffer.concat([png.subarray(0, at), png.subarray(at + 12 + png.readUInt32BE(at))])
}

export type PublicFiles = ReturnType<typeof createPublicFiles>

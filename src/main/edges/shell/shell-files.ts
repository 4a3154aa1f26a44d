import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** What the shell's page may do: load its own files, and nothing else. */
export const shellPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Every file below a folder by its URL path; folder by folder, since a recursive listing fails inside an asar archive. */
async function filesByPath(folder: string, prefix = '/'): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesByPath(path, `${prefix}${entry.name}/`) : [[prefix + entry.name, path] as const]
  })
  return (await Promise.all(found)).flat()
}

/**
 * Answers requests for the built files of the window. The folder is listed once, and a request is looked up in that
 * list by its exact path: no path is ever joined from a request, so none can lead out of the folder.
 */
export async function createShellFiles(folder: string): Promise<(url: string, method: string) => Promise<Response>> {
  const files = new Map((await filesByPath(folder)).filter(([path]) => Object.hasOwn(contentTypes, extname(path))))

  return async (url, method) => {
    const path = files.get(new URL(url).pathname)
    if (method !== 'GET' || path === undefined) return new Response(null, { status: 404 })
    return new Response(new Uint8Array(await readFile(path)), {
      headers: {
        'Content-Type': contentTypes[extname(path)] ?? 'application/octet-stream',
        'Content-Security-Policy': shellPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
      },
    })
  }
}

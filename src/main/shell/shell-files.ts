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

/** The Content Security Policy of the app's page: it may load only its own files. */
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

/** All files in a folder by URL path. Lists folder by folder, because a recursive listing fails inside an asar archive. */
async function filesByPath(folder: string, prefix = '/'): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesByPath(path, `${prefix}${entry.name}/`) : [[prefix + entry.name, path] as const]
  })
  return (await Promise.all(found)).flat()
}

/**
 * Serves the built files of the window. Lists the folder once and looks up requests in the list by exact path: no path is
 * derived from a request, so none can leave the folder.
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

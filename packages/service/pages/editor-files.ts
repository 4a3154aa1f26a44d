import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaType } from '@galley/wire'

import type { Reply } from '../http/exchange.ts'
import { refusal } from '../http/exchange.ts'

/**
 * Allows no inline code, and from other origins only media: a reopened page shows files of the site, and newly chosen
 * pictures are blobs.
 */
const editorPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data: http: https:",
  "media-src 'self' blob: http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The built editor page and its assets (`editor.vite.config.ts`). */
export interface EditorFiles {
  readonly page: () => Promise<Reply>
  readonly asset: (name: string) => Promise<Reply>
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : null
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null
    throw problem
  }
}

/**
 * Serves the built page `index.html` and the flat folder `assets`. The page's URL has one folder level,
 * so that both its `../../assets/x` and an absolute `/assets/x` resolve to `/assets/x`.
 */
export const createEditorFiles = (editorDir: string | null): EditorFiles => ({
  async page() {
    const body = editorDir === null ? null : await readIfThere(join(editorDir, 'index.html'))
    if (body === null)
      return refusal(503, 'editor_not_built', 'The editor page is not built here. Run `npm run build`, then reload.')
    const headers = { 'Content-Security-Policy': editorPolicy, 'Referrer-Policy': 'no-referrer' }
    return { status: 200, contentType: 'text/html; charset=utf-8', body, headers }
  },
  async asset(name) {
    const isPlain = /^[\w-][\w.-]*$/.test(name)
    const body = editorDir === null || !isPlain ? null : await readIfThere(join(editorDir, 'assets', name))
    if (body === null) return refusal(404, 'not_found', 'There is no such file.')
    const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' }
    // Stored files are never served as scripts; the page's own are.
    const contentType = name.endsWith('.js') ? 'text/javascript; charset=utf-8' : mediaType(name)
    return { status: 200, contentType, body, headers }
  },
})

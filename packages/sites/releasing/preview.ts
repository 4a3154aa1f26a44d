import { watch as watchFolder } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ChangeFeed } from '@galley/library'
import { startServer } from '@galley/library'
import type { ExportFailure } from '@galley/library/records'
import { fileOfTheme } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import { fail, ok, pageMediaType, requestedRange } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { ReleaseFile } from './release-record.ts'

export interface PreviewPorts {
  readonly changes: Pick<ChangeFeed, 'watch'>
  /** Makes the site as it would be published now. */
  readonly make: () => Promise<Result<readonly ReleaseFile[], ExportFailure>>
  /** The folders of the site's current theme. */
  readonly themes: () => readonly string[]
  /** The bytes of a file; destroyed with an error if they do not match the saved hash. */
  readonly read: (file: ReleaseFile) => Readable
  /**
   * Called when a theme that is being edited cannot be used, while the preview shows the previous site; null: it can
   * again.
   */
  readonly onProblem: (failure: ExportFailure | null) => void
  /** Called when the preview shows new files. */
  readonly onChange: () => void
}

type Files = ReadonlyMap<string, ReleaseFile>

/** Writes come in bursts; each burst results in one new bundle. */
const settleMs = 150
/** Pages poll this path for changes. */
const changesPath = '/.galley/changes'
const reload = `<script>new EventSource('${changesPath}').onmessage=()=>location.reload()</script>`

const filesOf = async ({ make }: PreviewPorts): Promise<Result<Files, ExportFailure>> => {
  const made = await make()
  return made.ok ? ok(new Map(made.value.map((file) => [file.path, file]))) : made
}

/**
 * Serves a site on this computer as it would be published. Open pages reload when the library or a theme folder
 * changes. Throws ListenError.
 */
export async function startPreview(ports: PreviewPorts, port: number) {
  let files: Files = new Map()
  const readers = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const host = request.headers.host ?? ''
    // Rejects foreign host names, so that DNS rebinding cannot read the preview.
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host)) return void response.writeHead(403).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
    const path = pathOf(request)
    if (path === changesPath.slice(1)) return listen(response, readers)
    return void answer(ports, files, path, request, response)
  })

  const refresh = refresher(async () => {
    // Before the bundle is made, so that no edit falls between the two.
    themes.follow()
    const made = await filesOf(ports)
    if (!made.ok) return ports.onProblem(made.failure)
    files = made.value
    ports.onProblem(null)
    for (const reader of readers) reader.write('data: changed\n\n')
    ports.onChange()
  })
  const themes = createThemeWatch(ports.themes, refresh.soon)
  themes.follow()
  // Before the first bundle is made, so that no change falls between the two.
  const stopWatching = ports.changes.watch(refresh.soon)
  const stop = async (): Promise<void> => {
    stopWatching()
    themes.stop()
    await refresh.close()
    await closed(server)
  }
  try {
    const url = await startServer(server, '127.0.0.1', port)
    const first = await refresh.after(filesOf(ports))
    if (!first.ok) {
      await stop()
      return fail(first.failure)
    }
    files = first.value
    return ok({ url: `${url}/`, close: stop })
  } catch (error) {
    await stop()
    throw error
  }
}

/** Runs `work` once for all requests within a short time, and never twice at a time. */
function refresher(work: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> = Promise.resolve()
  return {
    /** Runs nothing until this has settled. */
    after<Value>(first: Promise<Value>): Promise<Value> {
      running = first
      return first
    },
    soon(): void {
      if (timer) clearTimeout(timer)
      timer = setTimeout(() => {
        // Also after a failure, which the process reports.
        running = running.then(work, work)
      }, settleMs)
    },
    async close(): Promise<void> {
      if (timer) clearTimeout(timer)
      await Promise.allSettled([running])
    },
  }
}

/** Watches the folders of the theme; `follow` switches to those of another theme. */
function createThemeWatch(sourcesNow: () => readonly string[], changed: () => void) {
  let watched = new Map<string, () => void>()
  return {
    follow(): void {
      // Files of the library do not change.
      const folders = sourcesNow().filter((source) => fileOfTheme(source) === null)
      for (const [folder, stop] of watched) if (!folders.includes(folder)) stop()
      watched = new Map(folders.map((folder) => [folder, watched.get(folder) ?? watchTheme(folder, changed)]))
    },
    stop(): void {
      for (const stop of watched.values()) stop()
    },
  }
}

function watchTheme(folder: string, changed: () => void): () => void {
  try {
    const watcher = watchFolder(folder, { recursive: true }, changed)
    watcher.on('error', () => undefined)
    return () => watcher.close()
  } catch (error) {
    // A theme inside the app's archive never changes.
    if (!isSystemError(error)) throw error
    return () => undefined
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function pathOf({ url = '/' }: IncomingMessage): string {
  try {
    return decodeURIComponent(new URL(url, 'http://preview').pathname).slice(1)
  } catch {
    // An invalid encoding matches no file.
    return '?'
  }
}

function listen(response: ServerResponse, readers: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(':\n\n')
  readers.add(response)
  response.on('close', () => readers.delete(response))
}

async function answer(
  { read }: PreviewPorts,
  files: Files,
  path: string,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isFolder = path === '' || path.endsWith('/')
  const wanted = isFolder ? `${path}index.html` : path
  if (!isFolder && !files.has(path) && files.has(`${path}/index.html`)) {
    response.writeHead(302, { location: `/${encodeURI(path)}/` }).end()
    return
  }
  const file = files.get(wanted) ?? files.get('404.html')
  if (file === undefined) {
    response.writeHead(404).end()
    return
  }
  const status = files.has(wanted) ? 200 : 404
  const common = {
    'content-type': pageMediaType(file.path),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  if (file.path.endsWith('.html')) {
    const page = await buffer(read(file)).catch(() => null)
    if (page === null) response.writeHead(500).end()
    else
      response.writeHead(status, common).end(method === 'HEAD' ? undefined : Buffer.concat([page, Buffer.from(reload)]))
    return
  }
  const range = requestedRange(headers.range, file.bytes)
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${file.bytes}` }).end()
    return
  }
  const [start, end] = range === null ? [0, file.bytes - 1] : [range.start, range.start + range.length - 1]
  const about = { ...common, 'accept-ranges': 'bytes', 'content-length': end - start + 1 }
  if (range === null) response.writeHead(status, about)
  else response.writeHead(206, { ...about, 'content-range': `bytes ${start}-${end}/${file.bytes}` })
  if (method === 'HEAD') {
    response.end()
    return
  }
  // A reader that disconnects is not an error.
  await pipeline(Readable.from(slice(read(file), start, end)), response).catch(() => undefined)
}

/** The bytes from `start` to `end`, inclusive. */
async function* slice(chunks: AsyncIterable<Buffer>, start: number, end: number): AsyncIterable<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at > end) return
  }
}

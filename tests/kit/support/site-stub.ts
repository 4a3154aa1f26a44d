import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createListener } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { sendWithoutEnd } from '../../support/without-end.ts'
import { createDownload } from './site-stub/download.ts'
import type { StubOptions } from './site-stub/faults.ts'
import { faultsOf } from './site-stub/faults.ts'
import { createFonts } from './site-stub/fonts.ts'
import { createPublicFiles } from './site-stub/public-files.ts'
import { bodyOf, parsed } from './site-stub/reading.ts'
import type { Reply } from './site-stub/replies.ts'
import { refuse, reply, written } from './site-stub/replies.ts'
import { createSaves } from './site-stub/save.ts'
import { writeAsNamed } from './site-stub/written-files.ts'
import type { Carelessness } from './strict-unzip.ts'
import { unzip } from './strict-unzip.ts'

/**
 * A small site backend in memory, written from the contract: it passes every case of the kit, and gets wrong exactly
 * what it is told to.
 */
export async function startSiteStub(options: StubOptions) {
  const { secret, apiKey, baseUrl } = options
  const has = faultsOf(options)
  const download = createDownload(options, has)
  const ledger = new Map<string, Promise<Reply>>()
  const queues = new Map<string, Promise<unknown>>()
  let shared: Reply = refuse('nothing yet')

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })
  const front = has('one-connection-at-a-time') ? oneAtATime(server) : server
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const files = createPublicFiles(has, origin)
  const { store, stored, failed, servePage } = createSaves(has, files)
  const storeFonts = createFonts(has, files, failed)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const isStranger = has('media-need-credentials') && request.headers.authorization === undefined
    if (path.startsWith('/files/')) return isStranger ? refused(response) : files.serve(path, response)
    if (path.startsWith('/pages/')) return servePage(decodeURIComponent(path.slice('/pages/'.length)), response)
    if (has('answers-without-end')) return sendWithoutEnd(response)
    const { status, body: said } = misreported(alike(await answer(request)))
    const body = has('says-rc-1-on-refusal') ? said.replace('"rc":0', '"rc":1') : said
    const text = has('tells-the-secret') ? body.replace('"rc"', `"note":"${secret}","rc"`) : body
    const type = has('html-answers') ? 'text/html' : 'application/json'
    const encoding = has('compresses-answers') ? { 'content-encoding': 'gzip' } : {}
    response.writeHead(status, { 'content-type': type, connection: 'close', ...encoding }).end(written(has, text))
    request.resume()
  }

  const refused = (response: ServerResponse): void => void response.writeHead(401).end()

  const alike = (done: Reply): Reply =>
    has('refuses-all-alike') && !/"rc":1/.test(done.body) ? refuse('no', 403) : done

  /** An acceptance with an HTTP status that denies it. */
  const misreported = (done: Reply): Reply => {
    const status = has('accepts-with-a-redirect') ? 302 : has('accepts-with-a-failure') ? 500 : done.status
    return /"rc":1/.test(done.body) ? { ...done, status } : done
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { headers, method } = request
    if (has('breaks-down')) return { status: 500, body: 'Internal Server Error' }
    if (has('accepts-everything')) return reply(200, { rc: 1, rm: 'Saved successfully', data: {} })
    if (method !== 'POST' && !has('takes-any-request')) return refuse('only POST', 405)
    const isJson =
      /^application\/json\b/.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
    if (!isJson && !has('takes-any-request')) return refuse('JSON only', 415)
    if (headers.origin !== undefined && !has('takes-any-request')) return refuse('no pages', 403)
    const wanted = has('asks-for-no-credentials') ? null : options.authorization
    if (wanted !== null && headers.authorization !== wanted) return refuse('credentials', 401)
    const bytes = await bodyOf(request)
    const body = has('reads-latin-1') ? Buffer.from(bytes?.toString('latin1') ?? '') : bytes
    if (body === null || (has('reads-short-bodies') && body.length > 100_000))
      return refuse('too large or too slow', 413)
    const payload = parsed(body)
    if (payload === null) return has('bare-errors') ? { status: 500, body: 'cannot read' } : refuse('no callback', 400)
    return receive(payload, headers)
  }

  async function receive(payload: Record<string, unknown>, headers: IncomingMessage['headers']): Promise<Reply> {
    const text = (name: string): string => {
      const value = payload[name]
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    }
    const [material, contentUrl] = [text('material_id'), text('content_url')]
    const given = has('finds-signatures-anywhere')
      ? [...Object.values(headers), payload['signature']].find((value) => /^[0-9a-f]{64}$/.test(String(value)))
      : headers['x-service-signature']
    const signature = typeof given === 'string' ? given.trim() : ''
    if (has('downloads-first') && contentUrl.startsWith(baseUrl)) await download(contentUrl, material, signature)
    if (!isSigned(material, contentUrl, signature)) {
      const told = has('tells-right-signature') ? `: expected ${signatureOver(material, contentUrl)}` : ''
      return refuse(`the signature does not match${told}`, 400)
    }
    if (has('refuses-all-alike') && material !== 'post-1') return refuse('no such material')
    if (has('refuses-everything')) return refuse('not today')
    if (typeof payload['material_id'] !== 'string' || material === '' || contentUrl === '') {
      return has('takes-pages-for-optional') && material !== '' ? stored('{}') : refuse('incomplete', 400)
    }
    const isOurs =
      /^https?:\/\/[^@\\#]+$/.test(contentUrl) &&
      URL.canParse(contentUrl) &&
      new URL(contentUrl).origin === new URL(baseUrl).origin
    if (!isOurs && !has('fetches-anywhere')) return refuse('not the address of the service', 400)
    const metadata = payload['metadata']
    const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    if (has('needs-metadata') && !(isObject && 'user_email' in metadata && Object.keys(metadata).length < 8)) {
      return { status: 500, body: 'undefined is not an object' }
    }
    const kind = contentUrl.includes('/download/fonts/')
      ? 'fonts'
      : contentUrl.includes('/download/media/')
        ? 'media'
        : null
    const claimed = { article_saved: 'media', site_fonts_updated: 'fonts' }[text('event')]
    const isFonts = has('ignores-events') ? claimed === 'fonts' : kind === 'fonts'
    if (
      !has('ignores-events', 'fetches-anywhere') &&
      (kind === null || (payload['event'] === undefined ? kind : claimed) !== kind)
    )
      return refuse('unknown event', 400)

    const key =
      has('answers-all-alike') && !isFonts
        ? 'any'
        : JSON.stringify([
            text('event'),
            material,
            has('ledger-without-queries') ? contentUrl.split('?')[0] : contentUrl,
          ])
    const known = has('has-no-ledger') ? undefined : ledger.get(key)
    if (known) return has('repeats-with-a-conflict') ? { ...(await known), status: 409 } : known
    const work = queued(isFonts ? 'fonts' : material, async () => {
      if (has('asks-for-nothing')) return stored('{"assets":{}}')
      if (has('ignores-fonts') && isFonts) return reply(200, { rc: 1, rm: 'Fonts saved successfully' })
      const bytes = await download(contentUrl, material, signature)
      if (bytes === null)
        return failed(
          material,
          `the download failed${has('tells-addresses') ? `: ${contentUrl}?api_key=${apiKey} ${signature}` : ''}`,
          502,
        )
      if (has('writes-where-names-lead')) await writeAsNamed(bytes)
      const entries = unzip(bytes, carelessness())
      if (entries === null) return failed(material, 'the archive is damaged')
      const done = isFonts ? storeFonts(entries, payload['fonts']) : store(material, entries, payload)
      if (!has('shares-one-answer')) return done
      shared = done
      await delay(20)
      return shared
    })
    ledger.set(key, work)
    const done = await work
    if (!/"rc":"?1/.test(done.body) && !has('remembers-failures')) ledger.delete(key)
    return done
  }

  const carelessness = (): Carelessness => ({
    skips: has('skips-what-is-damaged'),
    ignoresChecksums: has('ignores-checksums'),
    ignoresNames: has('ignores-entry-names'),
    ignoresKinds: has('follows-links'),
    ignoresLayout: has('ignores-archive-layout'),
  })

  const signatureOver = (material: string, url: string): string =>
    createHmac('sha256', secret).update(`${material}:${url}`).digest('hex')

  function isSigned(material: string, url: string, signature: string): boolean {
    if (has('verifies-nothing')) return true
    if (has('credentials-are-enough') && signature === '' && options.authorization !== null) return true
    const right = (over: string): string => signatureOver(material, over)
    if (has('verifies-the-callback-url') && signature === right(`${origin}/callback`)) return true
    const [path = '', query = ''] = url.split('?')
    if (has('verifies-without-query') && signature === right(path)) return true
    const sorted = `${path}?${query.split('&').toSorted().join('&')}`
    if (has('verifies-sorted-queries') && signature === right(sorted)) return true
    if (has('verifies-half')) return signature.slice(0, 32) === right(url).slice(0, 32)
    return /^[0-9a-f]{64}$/.test(signature) && timingSafeEqual(Buffer.from(signature), Buffer.from(right(url)))
  }

  /** One job at a time for each line. */
  function queued(line: string, job: () => Promise<Reply>): Promise<Reply> {
    const before = has('shares-one-answer') ? Promise.resolve() : (queues.get(line) ?? Promise.resolve())
    const work = before.then(job, job)
    queues.set(line, work)
    return work
  }

  return {
    callbackUrl: `${origin}/callback`,
    pageTemplate: `${origin}/pages/{material}`,
    async close(): Promise<void> {
      server.closeAllConnections()
      front.close()
      await once(front, 'close')
    },
  }
}

/** A listener in front of the server, as the server itself would be with a single thread. */
function oneAtATime(server: Server) {
  let before: Promise<unknown> = Promise.resolve()
  const serve = async (socket: Socket): Promise<void> => {
    if (socket.destroyed) return
    server.emit('connection', socket)
    socket.resume()
    await once(socket, 'close')
  }
  return createListener({ pauseOnConnect: true }, (socket) => void (before = before.then(() => serve(socket))))
}

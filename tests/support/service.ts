import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Handles one download differently. Returns true if it did; a promise delays the download. */
export type DownloadHook = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<false>

/** The HMAC of the contract, implemented independently of the product. */
export const signatureOf = (secret: string, materialId: string, url: string): string =>
  createHmac('sha256', secret).update(`${materialId}:${url}`).digest('hex')

/**
 * The service from a listener's view: it opens sessions, serves archives and records requests. Written from the contract
 * alone; it can misbehave on demand.
 */
export async function startService(secret = 'test-secret', apiKey = 'test-key') {
  const archives = new Map<string, Buffer>()
  const downloads: { path: string; query: string; signature: string | undefined }[] = []
  const opens: { body: string; signature: string | undefined; headers: IncomingHttpHeaders }[] = []
  let hook: DownloadHook | null = null
  let openAnswer: { status: number; body: string } | null = null

  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const signature = request.headers['x-service-signature']
    const header = Array.isArray(signature) ? signature.join(',') : signature
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        opens.push({ body: Buffer.concat(chunks).toString('utf8'), signature: header, headers: request.headers })
        const { status, body } = openAnswer ?? {
          status: 200,
          body: JSON.stringify({
            session_id: 's-1',
            fingerprint: 'f-1',
            url: `${origin()}/editor/f-1`,
            resizeMode: 'fluid',
          }),
        }
        response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      })
      return
    }
    downloads.push({ path, query, signature: header })
    const answer = (): void => {
      const archive = archives.get(path)
      if (!archive) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length }).end(archive)
    }
    const handled = hook?.(request, response) ?? false
    if (handled instanceof Promise) void handled.then(answer)
    else if (!handled) answer()
  })
  let connections = 0
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    secret,
    apiKey,
    origin: origin(),
    baseUrl: `${origin()}/integration`,
    downloads,
    opens,
    /** How many connections there have been. */
    connections: () => connections,
    /** Offers an archive for a callback. Returns its content_url. */
    put(
      kind: 'media' | 'fonts',
      id: string,
      archive: Buffer,
      session = '11111111-2222-4333-8444-555555555555',
    ): string {
      const path = `/integration/download/${kind}/${session}/${id}`
      archives.set(path, archive)
      return origin() + path
    },
    onDownload(next: DownloadHook | null): void {
      hook = next
    },
    answerOpen(answer: { status: number; body: string } | null): void {
      openAnswer = answer
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TestService = Awaited<ReturnType<typeof startService>>

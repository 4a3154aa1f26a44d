import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Errors of S3. `clock`: the request was signed an hour ago, or in the future. */
const errors = {
  status_403: [403, 'AccessDenied'],
  key_unknown: [403, 'InvalidAccessKeyId'],
  key_wrong: [403, 'SignatureDoesNotMatch'],
  clock: [403, 'RequestTimeTooSkewed'],
  no_bucket: [404, 'NoSuchBucket'],
  status_409: [409, 'ConditionalRequestConflict'],
} as const

const isError = (mishap: Mishap): mishap is keyof typeof errors => mishap !== null && mishap in errors

/**
 * The faults of a server. `cut_after`: the request is carried out, but the response is lost; `twice`: a proxy
 * sends it again, and passes on the second response; `page`: a proxy answers with a
 * page of its own.
 */
export type Mishap =
  | 'cut_before'
  | 'cut_after'
  | 'twice'
  | 'page'
  | keyof typeof errors
  | 'status_500'
  | 'status_503'
  | null

export interface Behaviour {
  /** Accepts the condition and ignores it, as some storages do. */
  readonly ignoresCondition?: boolean
  /** Lists from the beginning always, and keys as they are. */
  readonly listsBadly?: boolean
  /** Its ETags are no MD5 hashes of the objects, as with a key of its own. */
  readonly encrypts?: boolean
  /** `keyId`: of the access key that signed the request. */
  readonly mishap?: (method: string, key: string, keyId: string) => Mishap
  /** A request waits for this before it is handled. */
  readonly hold?: (method: string, key: string) => Promise<void>
}

interface Performed {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

const html = { 'content-type': 'text/html; charset=utf-8' }

/**
 * An S3 storage in memory with the requests that a team library makes: PUT with `If-None-Match: *`, GET, HEAD, DELETE
 * and ListObjectsV2. It does not verify signatures. It has one bucket, `team`.
 */
export async function startS3Server(behaviour: Behaviour = {}) {
  const objects = new Map<string, Buffer>()
  const encodings = new WeakMap<Buffer, string>()
  const sockets = new Set<IncomingMessage['socket']>()
  let requests = 0

  const etagOf = (bytes: Buffer): string =>
    createHash('md5')
      .update(behaviour.encrypts ? randomBytes(16) : bytes)
      .digest('hex')

  function perform(request: IncomingMessage, key: string, body: Buffer): Performed {
    switch (request.method ?? '') {
      case 'PUT':
        if (request.headers['if-none-match'] === '*' && objects.has(key) && !behaviour.ignoresCondition)
          return { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' }
        objects.set(key, body)
        encodings.set(body, request.headers['content-encoding'] ?? '')
        return { status: 200, headers: { etag: `"${etagOf(body)}"` } }
      case 'GET': {
        const found = objects.get(key)
        const encoding = found && encodings.get(found)
        const headers: Record<string, string> = encoding ? { 'content-encoding': encoding } : {}
        return found
          ? { status: 200, headers, body: found }
          : { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }
      }
      case 'HEAD': {
        const found = objects.get(key)
        if (!found) return { status: 404 }
        return { status: 200, headers: { etag: `"${etagOf(found)}"`, 'content-length': String(found.length) } }
      }
      case 'DELETE':
        objects.delete(key)
        return { status: 204 }
      default:
        return { status: 405 }
    }
  }

  function list(query: URLSearchParams): string {
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? ''))
      .filter((key) => behaviour.listsBadly || key > (query.get('start-after') ?? ''))
      .toSorted()
      .slice(0, Number(query.get('max-keys') ?? 1000))
    const named = (key: string): string => (behaviour.listsBadly ? key : encodeURIComponent(key))
    const described = (key: string): string => {
      const bytes = objects.get(key) ?? Buffer.alloc(0)
      return `<ETag>&quot;${etagOf(bytes)}&quot;</ETag><Size>${bytes.length}</Size>`
    }
    const shown = keys.map((key) => `<Contents><Key>${named(key)}</Key>${described(key)}</Contents>`)
    return `<ListBucketResult>${shown.join('')}</ListBucketResult>`
  }

  async function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/')
    const key = rest.join('/')
    requests += 1
    await behaviour.hold?.(request.method ?? '', key)
    const keyId = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const mishap = behaviour.mishap?.(request.method ?? '', key, keyId) ?? null
    if (mishap === 'cut_before') return void request.socket.destroy()
    if (mishap === 'page')
      return void response.writeHead(200, html).end('<html><body>Sign in to this network</body></html>')
    const refused = (error: keyof typeof errors): void => {
      const [status, code] = errors[error]
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    }
    if (isError(mishap)) return refused(mishap)
    if (mishap === 'status_500' || mishap === 'status_503')
      return void response.writeHead(Number(mishap.slice(7))).end()
    if (bucket !== 'team') return refused('no_bucket')
    if (url.searchParams.has('list-type')) return void response.writeHead(200).end(list(url.searchParams))
    if (mishap === 'twice') perform(request, key, body)
    const performed = perform(request, key, body)
    if (mishap === 'cut_after') return void request.socket.destroy()
    response.writeHead(performed.status, performed.headers).end(performed.body)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void answer(request, response, Buffer.concat(chunks)))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests: () => requests,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

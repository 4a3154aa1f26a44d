import { hostileBodies } from './hostile-bodies.ts'
import type { RawConnection } from './raw-connections.ts'
import { callbackHead, chunk, rawConnection } from './raw-connections.ts'

/** A continuous attack, until its process ends. All of them stay on loopback. */
export interface Attack {
  /** The number of connections so far, including closed ones. */
  readonly made: () => number
}

/** Keeps `count` connections open and, with `again`, replaces closed ones. `use` is called with each. */
function keepOpen(listener: string, count: number, again: boolean, use: (connection: RawConnection) => void): Attack {
  let made = 0
  const start = (): void => {
    const connection = rawConnection(listener)
    made += 1
    use(connection)
    void connection.closed.then(() => again && start())
  }
  for (let at = 0; at < count; at++) start()
  return { made: () => made }
}

/** Clients that request a public file and never read any of it. */
const deafReaders = (listener: string, path: string, count: number, again = false): Attack =>
  keepOpen(listener, count, again, ({ socket }) => {
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  })

/** Clients that connect, send nothing, and reconnect when they are closed. */
const idlers = (listener: string, count: number): Attack => keepOpen(listener, count, true, () => undefined)

/** Clients that start a request and never complete its headers. */
const unfinishedHeaders = (listener: string, count: number): Attack =>
  keepOpen(listener, count, true, ({ socket }) => socket.write('POST /callback/acme HTTP/1.1\r\nHost: 127.0.0.1\r\n'))

/** Clients that send all but the last byte of a body. */
function unfinishedBodies(listener: string, count: number, sizeBytes: number, again = false): Attack {
  const body = Buffer.from(`{"a":"${'x'.repeat(sizeBytes - 8)}"`)
  return keepOpen(listener, count, again, ({ socket }) => {
    socket.write(callbackHead(sizeBytes))
    socket.write(body)
  })
}

/** Clients that send hostile bodies without a signature, each as soon as the previous one was answered. */
function hostileSenders(listener: string, count: number, sizeBytes: number): Attack {
  const bodies = hostileBodies(sizeBytes).map(({ body }) => body)
  let next = 0
  return keepOpen(listener, count, true, ({ socket }) => {
    const body = bodies[next++ % bodies.length] ?? Buffer.alloc(0)
    socket.write(callbackHead(body.length))
    socket.write(body)
  })
}

/** Clients that send a request again and again, `atOnce` at a time, as soon as all of these are answered. */
function senders(listener: string, count: number, kind: keyof typeof requests, atOnce = 1, addresses = 1): Attack {
  const batch = requests[kind]().repeat(atOnce)
  let made = 0
  const start = (at: number): void => {
    const { socket, closed } = rawConnection(listener, `127.0.0.${(at % addresses) + 1}`)
    made += 1
    let answers = 0
    socket.on('data', (piece: Buffer) => {
      answers += piece.toString('latin1').split('HTTP/1.1 ').length - 1
      if (answers < atOnce) return
      answers = 0
      if (socket.writable) socket.write(batch)
    })
    socket.write(batch)
    void closed.then(() => start(at))
  }
  for (let at = 0; at < count; at++) start(at)
  return { made: () => made }
}

/** What can be sent without a secret. */
const requests = {
  forged: () => post(`X-Service-Signature: ${'0'.repeat(64)}\r\n`),
  'forged, on a new connection each': () => post(`X-Service-Signature: ${'0'.repeat(64)}\r\nConnection: close\r\n`),
  'forged, with headers of 15 KB': () =>
    post(Array.from({ length: 75 }, (_, at) => `X-${at}: ${'x'.repeat(190)}\r\n`).join('')),
  'forged, expecting 100': () => post('Expect: 100-continue\r\n'),
  'in chunks of one byte': () =>
    `${callbackHead('chunked').replace('Connection: close\r\n', '')}${chunk('x').repeat(8_000)}${chunk('')}`,
  'for an unknown file': () => 'GET /media/acme/none.png HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
}

const post = (headers: string): string => {
  const body = JSON.stringify({ material_id: 'post-1', content_url: 'http://127.0.0.1/', debug: false })
  return callbackHead(body.length).replace('Connection: close\r\n', headers) + body
}

export const floods = { deafReaders, idlers, unfinishedHeaders, unfinishedBodies, hostileSenders, senders }

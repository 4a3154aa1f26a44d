import type { RawConnection } from './raw-connections.ts'
import { callbackHead, rawConnection } from './raw-connections.ts'

import { hostileBodies } from './hostile-bodies.ts'

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

export const floods = { deafReaders, idlers, unfinishedHeaders, unfinishedBodies, hostileSenders }

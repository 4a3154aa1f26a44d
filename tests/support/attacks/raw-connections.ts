import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** One connection without any HTTP client between the attacker and the bytes. */
export interface RawConnection {
  readonly socket: Socket
  /** What came so far. */
  readonly said: () => string
  /** Resolves with all that came when the connection has ended, however it did. */
  readonly closed: Promise<string>
  /** Resolves when this much of a text has come, or the connection has ended. */
  readonly says: (text: string) => Promise<boolean>
}

/** `from`: the loopback address to come from, such as 127.0.0.2: a stranger to 127.0.0.1. */
export function rawConnection(listener: string, from = '127.0.0.1'): RawConnection {
  const { hostname, port } = new URL(listener)
  const socket = connect({ host: hostname, port: Number(port), localAddress: from })
  let said = ''
  let isClosed = false
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const check of waiting) check()
  }
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1')
    wake()
  })
  // Refused, reset or cut: for an attacker all of them are an end.
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      wake()
      resolve(said)
    })
  })
  return {
    socket,
    said: () => said,
    closed,
    says: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!said.includes(text) && !isClosed) return
          waiting.delete(check)
          resolve(said.includes(text))
        }
        waiting.add(check)
        check()
      }),
  }
}

/** The head of a callback of nobody in particular. */
export const callbackHead = (length: number | 'chunked', path = '/callback/acme'): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`

export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

export const statusOf = (said: string): string => /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? ''

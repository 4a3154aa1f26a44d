import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** A connection without an HTTP client, for exact control of its bytes. */
export interface RawConnection {
  readonly socket: Socket
  /** What was received so far. */
  readonly said: () => string
  /** Resolves with everything received when the connection has ended, for any reason. */
  readonly closed: Promise<string>
  /** Resolves when this much text was received, or the connection has ended. */
  readonly says: (text: string) => Promise<boolean>
}

/** `from`: the loopback address of the client, such as 127.0.0.2, which counts as another client than 127.0.0.1. */
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
  // Refused, reset or cut: each is an end for an attacker.
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

/** The head of a callback without a valid sender. */
export const callbackHead = (length: number | 'chunked', path = '/callback/acme'): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`

export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

export const statusOf = (said: string): string => /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? ''

import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { CallbackFailure, Sha256 } from '@galley/wire'
import { failureAnswer } from '@galley/wire'

import type { Answer } from '../save/answer.ts'

export interface DeliveryLimits {
  /** Readers slower than `paceBytes` per `paceMs` are disconnected. */
  readonly paceMs: number
  readonly paceBytes: number
  /** The maximum time for a whole response. */
  readonly wholeMs: number
}

/** A stored blob for a response: a buffer, or a stream with its size. */
export type StoredBlob = Buffer | { readonly sizeBytes: number; readonly stream: Readable }

/** The Retry-After of `busy` responses, in seconds. */
const retryAfterS = 5

/** Disconnects readers that are too slow or have stopped reading. Call it when the response begins. */
export function watchDelivery(response: ServerResponse, limits: DeliveryLimits): void {
  const { socket } = response
  if (!socket || response.destroyed) return
  // Bytes that have left this process, without those still buffered in it.
  const takenBytes = (): number => socket.bytesWritten - socket.writableLength
  let seenBytes = takenBytes()
  const pace = setInterval(() => {
    const bytes = takenBytes()
    if (bytes - seenBytes < limits.paceBytes) socket.destroy()
    seenBytes = bytes
  }, limits.paceMs)
  const whole = setTimeout(() => socket.destroy(), limits.wholeMs)
  response.once('close', () => {
    clearInterval(pace)
    clearTimeout(whole)
  })
}

const jsonHeaders = (httpStatus: number, bytes: number) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': bytes,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...(httpStatus === 503 && { 'retry-after': String(retryAfterS) }),
  // Required (RFC 9110, section 11.6.1).
  ...(httpStatus === 401 && { 'www-authenticate': 'Basic realm="callback", Bearer' }),
})

export function sendFailure(
  response: ServerResponse,
  failure: CallbackFailure,
  limits: DeliveryLimits,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { httpStatus, body } = failureAnswer(failure)
  const text = JSON.stringify(body)
  watchDelivery(response, limits)
  response.writeHead(httpStatus, { ...jsonHeaders(httpStatus, Buffer.byteLength(text)), ...headers }).end(text)
}

/** Sends a response around its blob. Streams large blobs: an editor state may be as large as an archive. */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  openBlob: (blob: Sha256) => StoredBlob,
  limits: DeliveryLimits,
  headers: Readonly<Record<string, string>> = {},
): void {
  // The client may have disconnected. The save is stored, and a repeated delivery gets the same response.
  if (response.destroyed) return
  function opened(wanted: Sha256): StoredBlob {
    try {
      return openBlob(wanted)
    } catch (error) {
      // The save is stored: nothing may be sent that says that it is not.
      response.destroy()
      throw error
    }
  }
  const { httpStatus, before, after } = answer
  const blob = answer.blob === null ? Buffer.alloc(0) : opened(answer.blob)
  const blobBytes = Buffer.isBuffer(blob) ? blob.length : blob.sizeBytes
  const bytes = Buffer.byteLength(before) + blobBytes + Buffer.byteLength(after)
  watchDelivery(response, limits)
  response.writeHead(httpStatus, { ...jsonHeaders(httpStatus, bytes), ...headers })
  if (Buffer.isBuffer(blob)) return void response.end(Buffer.concat([Buffer.from(before), blob, Buffer.from(after)]))
  response.write(before)
  const { stream } = blob
  response.once('close', () => stream.destroy())
  stream.on('error', () => response.destroy())
  stream.on('end', () => response.end(after))
  stream.pipe(response, { end: false })
}

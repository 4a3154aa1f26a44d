import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

import { failureAnswer } from '../../../contract/protocol/answer.ts'
import type { CallbackFailure } from '../../../contract/protocol/failure.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Answer } from '../../use-cases/intake/answers.ts'

export interface DeliveryLimits {
  /** A reader that takes less than `paceBytes` in `paceMs` is given up. */
  readonly paceMs: number
  readonly paceBytes: number
  /** The longest a whole answer may take. */
  readonly wholeMs: number
}

/** A stored blob for an answer: in one piece, or as a stream of so many bytes. */
export type StoredBlob = Buffer | { readonly sizeBytes: number; readonly stream: Readable }

/** How many seconds a client that is refused as `busy` should wait. */
const retryAfterS = 5

/** Cuts the connection of a reader that is too slow, or that has stopped reading. To be called when the answer begins. */
export function watchDelivery(response: ServerResponse, limits: DeliveryLimits): void {
  const { socket } = response
  if (!socket || response.destroyed) return
  // What has left this process: not the part that waits in it for the reader.
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

/** Sends an answer around its blob. A large one is streamed: an editor state may be as large as an archive allows. */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  openBlob: (blob: Sha256) => StoredBlob,
  limits: DeliveryLimits,
  headers: Readonly<Record<string, string>> = {},
): void {
  // The caller may have hung up: the save is stored all the same, and a repeat gets the same answer.
  if (response.destroyed) return
  const { httpStatus, before, after } = answer
  const blob = answer.blob === null ? Buffer.alloc(0) : openBlob(answer.blob)
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

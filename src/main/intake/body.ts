import type { IncomingMessage } from 'node:http'

import type { CallbackFailure } from '../../contract/failure.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'

/** Reads a request body; counted on the stream, because a declared length may lie in both directions. */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  timeoutMs: number,
): Promise<Result<Buffer, CallbackFailure>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const timer = setTimeout(() => end(fail({ kind: 'timeout' })), timeoutMs)
    const end = (result: Result<Buffer, CallbackFailure>) => {
      clearTimeout(timer)
      request.off('data', onData)
      // What still comes is dropped unread; the answer closes the connection.
      if (!result.ok) request.resume()
      resolve(result)
    }
    const onData = (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes) return end(fail({ kind: 'too_large', limitBytes }))
      chunks.push(chunk)
    }
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return end(fail({ kind: 'too_large', limitBytes }))
    request.on('data', onData)
    request.once('end', () => end(ok(Buffer.concat(chunks))))
    request.once('error', () => end(fail({ kind: 'timeout' })))
    request.once('close', () => end(fail({ kind: 'timeout' })))
  })
}

import type { IncomingMessage } from 'node:http'

import type { CallbackFailure } from '../../contract/failure.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Share } from './fair-share.ts'

export interface BodyLimits {
  /** The largest body. */
  readonly bytes: number
  /** A body up to this size takes nothing of the budget, so a usual callback always gets in. */
  readonly freeBytes: number
  readonly timeoutMs: number
  /** A sender that manages less than `paceBytes` in `paceMs` is given up. */
  readonly paceMs: number
  readonly paceBytes: number
}

/** A chunked body begins with this much room, which doubles as it grows. */
const firstBytes = 4 * 1024

/**
 * Reads a request body; counted on the stream, because a declared length may lie in both directions. What it needs beyond
 * `freeBytes` is taken from the budget before it is read: `busy` when that has too little left.
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  budget: Share,
): Promise<Result<Buffer, CallbackFailure>> {
  const declared = request.headers['content-length']
  const declaredBytes = declared === undefined ? null : Number(declared)
  const tooLarge = { kind: 'too_large', limitBytes: limits.bytes } as const

  return new Promise((resolve) => {
    // One buffer, filled as the body comes: a list of pieces would let a sender of single bytes take a hundred times as much.
    let buffer = Buffer.alloc(0)
    let sizeBytes = 0
    let takenBytes = 0
    let pacedBytes = 0
    const timer = setTimeout(() => end(fail({ kind: 'timeout' })), limits.timeoutMs)
    const pace = setInterval(() => {
      if (sizeBytes - pacedBytes < limits.paceBytes) end(fail({ kind: 'timeout' }))
      pacedBytes = sizeBytes
    }, limits.paceMs)

    const end = (result: Result<Buffer, CallbackFailure>): void => {
      clearTimeout(timer)
      clearInterval(pace)
      request.off('data', onData)
      // What still comes is dropped unread; the answer closes the connection.
      if (!result.ok) request.resume()
      buffer = Buffer.alloc(0)
      resolve(result)
    }
    /** Makes room for so many bytes in all; false when the budget has too little left. */
    const makeRoom = (bytes: number): boolean => {
      const wantedBytes = bytes <= limits.freeBytes ? 0 : bytes
      if (wantedBytes > takenBytes) {
        if (!budget.take(wantedBytes - takenBytes)) return false
        takenBytes = wantedBytes
      }
      const larger = Buffer.allocUnsafeSlow(bytes)
      buffer.copy(larger, 0, 0, sizeBytes)
      buffer = larger
      return true
    }
    const onData = (chunk: Buffer): void => {
      const needed = sizeBytes + chunk.length
      if (needed > limits.bytes) return end(fail(tooLarge))
      if (needed > buffer.length) {
        const doubled = Math.min(limits.bytes, Math.max(firstBytes, buffer.length * 2, needed))
        // Room to spare is not worth a refusal.
        if (
          !makeRoom(needed <= limits.freeBytes ? Math.min(doubled, limits.freeBytes) : doubled) &&
          !makeRoom(needed)
        ) {
          return end(fail({ kind: 'busy' }))
        }
      }
      chunk.copy(buffer, sizeBytes)
      sizeBytes = needed
    }

    if (declaredBytes !== null && declaredBytes > limits.bytes) return end(fail(tooLarge))
    if (declaredBytes !== null && !makeRoom(declaredBytes)) return end(fail({ kind: 'busy' }))
    request.on('data', onData)
    request.once('end', () => end(ok(buffer.subarray(0, sizeBytes))))
    request.once('error', () => end(fail({ kind: 'timeout' })))
    request.once('close', () => end(fail({ kind: 'timeout' })))
  })
}

import type { IncomingMessage } from 'node:http'
import { cause, fail, ok } from '@galley/wire'
import type { CallbackFailure, Result } from '@galley/wire'

import type { Share } from './fair-share.ts'
import { isCutShort } from './request-limit.ts'

export interface BodyLimits {
  /** The maximum body size. */
  readonly bytes: number
  /** Bodies up to this size do not use the budget, so that typical callbacks are always accepted. */
  readonly freeBytes: number
  readonly timeoutMs: number
  /** Senders slower than `paceBytes` per `paceMs` are disconnected. */
  readonly paceMs: number
  readonly paceBytes: number
  /** How much more of a body that is too large is read and discarded, and for how long. */
  readonly discardBytes: number
  readonly discardMs: number
}

/** A body in memory. */
export interface ReceivedBody {
  readonly bytes: Uint8Array
  /** Releases the memory. The bytes are invalid afterwards. */
  free(): void
}

/**
 * Reads a request body. Counts the bytes of the stream, because the declared length may be wrong. Memory beyond `freeBytes`
 * is taken from the budget before reading: fails with `busy` if too little is left.
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  budget: Share,
): Promise<Result<ReceivedBody, CallbackFailure>> {
  const declared = request.headers['content-length']
  const declaredBytes = declared === undefined ? null : Number(declared)
  const tooLarge = { kind: 'too_large', limitBytes: limits.bytes } as const

  return new Promise((resolve) => {
    const room = createRoom(limits, budget)
    let sizeBytes = 0
    let pacedBytes = 0
    const timer = setTimeout(() => end(fail({ kind: 'timeout' })), limits.timeoutMs)
    const pace = setInterval(() => {
      if (sizeBytes - pacedBytes < limits.paceBytes) end(fail({ kind: 'timeout' }))
      pacedBytes = sizeBytes
    }, limits.paceMs)
    let hasEnded = false
    const end = (result: Result<null, CallbackFailure>): void => {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      clearInterval(pace)
      request.off('data', onData)
      if (result.ok) return resolve(ok({ bytes: room.bytes(sizeBytes), free: room.free }))
      room.free()
      const rest = declaredBytes === null ? 0 : declaredBytes - sizeBytes
      const isRead = result.failure.kind === 'too_large' && rest <= limits.discardBytes
      const refuse = (): void => {
        stopReading(request)
        resolve(result)
      }
      if (isRead) void discarded(request, limits).then(refuse)
      else refuse()
    }
    const onData = (chunk: Buffer): void => {
      const needed = sizeBytes + chunk.length
      if (isCutShort(request)) return end(fail({ kind: 'invalid_request', problem: cause('tiny_chunks') }))
      if (needed > limits.bytes) return end(fail(tooLarge))
      if (!room.grow(needed, sizeBytes)) return end(fail({ kind: 'busy' }))
      room.write(chunk, sizeBytes)
      sizeBytes = needed
      discard(chunk)
    }

    if (declaredBytes !== null && declaredBytes > limits.bytes) return end(fail(tooLarge))
    if (declaredBytes !== null && !room.grow(declaredBytes, 0)) return end(fail({ kind: 'busy' }))
    request.on('data', onData)
    request.once('end', () => end(ok(null)))
    request.once('error', () => end(fail({ kind: 'timeout' })))
    request.once('close', () => end(fail({ kind: 'timeout' })))
  })
}

/**
 * Resolves when the body has been sent, within limits. Many HTTP clients read the response only then: a connection that
 * closes earlier looks to them as if it had broken.
 */
function discarded(request: IncomingMessage, { discardBytes, discardMs }: BodyLimits): Promise<void> {
  return new Promise((resolve) => {
    let sizeBytes = 0
    const timer = setTimeout(end, discardMs)
    function count(chunk: Buffer): void {
      sizeBytes += chunk.length
      discard(chunk)
      if (sizeBytes > discardBytes) end()
    }
    function end(): void {
      clearTimeout(timer)
      request.off('data', count)
      resolve()
    }
    request.on('data', count).once('end', end).once('close', end)
  })
}

/** The rest of the body is not read: the response closes the connection. */
function stopReading(request: IncomingMessage): void {
  request.socket.pause()
  request.on('data', (chunk: Buffer) => {
    // Listening has made Node read again.
    request.socket.pause()
    discard(chunk)
  })
}

/**
 * Returns the memory of a chunk at once. Thousands that wait for the garbage collector end up between small allocations, and
 * the C library then keeps them.
 */
function discard({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

/**
 * Larger bodies get a separate buffer. After a flood, the C library would keep the memory of many medium-sized ones.
 */
const sharedBytes = 4 * 1024

/**
 * The buffer for a body. A single buffer, because with a list of chunks a sender of single bytes would use a hundred times
 * as much memory. Beyond `sharedBytes` it is a separate, growable allocation that is returned to the system at once.
 */
function createRoom({ bytes: limitBytes, freeBytes }: BodyLimits, budget: Share) {
  let small = new Uint8Array(0)
  let large: ArrayBuffer | null = null
  let capacity = 0
  let takenBytes = 0
  const view = (): Uint8Array => (large === null ? small : new Uint8Array(large))

  function reach(bytes: number, usedBytes: number): boolean {
    if (bytes > freeBytes) {
      if (!budget.take(bytes - takenBytes)) return false
      takenBytes = bytes
    }
    if (bytes <= sharedBytes) {
      const grown = new Uint8Array(bytes)
      grown.set(small.subarray(0, usedBytes))
      small = grown
    } else {
      const known = large ?? new ArrayBuffer(0, { maxByteLength: limitBytes })
      known.resize(bytes)
      if (large === null) new Uint8Array(known).set(small.subarray(0, usedBytes))
      large = known
      small = new Uint8Array(0)
    }
    capacity = bytes
    return true
  }

  return {
    /** Grows to this total size; false if the budget has too little left. */
    grow(bytes: number, usedBytes: number): boolean {
      if (bytes <= capacity) return true
      const doubled = Math.max(bytes, Math.min(capacity * 2, bytes <= freeBytes ? freeBytes : limitBytes))
      // If the spare capacity does not fit the budget, tries without it.
      return reach(capacity === 0 ? bytes : doubled, usedBytes) || reach(bytes, usedBytes)
    },
    write: (chunk: Uint8Array, at: number): void => view().set(chunk, at),
    bytes: (sizeBytes: number): Uint8Array => view().subarray(0, sizeBytes),
    free(): void {
      large?.resize(0)
      small = new Uint8Array(0)
    },
  }
}

import type { Incoming, PiecewiseBody, Reply } from '../http/exchange.ts'
import { refusal } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import { wait } from '../time/wait.ts'
import type { Fault } from './fault.ts'
import type { PendingFaults } from './pending-faults.ts'

const slowPieceBytes = 16 * 1024
const slowPieceMs = 200

interface FaultyRoutesPorts {
  readonly faults: PendingFaults
  readonly closing: AbortSignal
}

const failure = (): Reply => refusal(500, 'internal_error', 'The service failed (scheduled fault error_500).')

/** session/open with pending faults applied. It fails before the request is read, so a refused one uses up a fault, too. */
export const faultyOpen = (route: Route, { faults }: FaultyRoutesPorts): Route => ({
  ...route,
  handle: (incoming, ...segments) =>
    faults.take(['error_500']) === null ? route.handle(incoming, ...segments) : failure(),
})

/** The downloads with pending faults applied; a refused request does not use up a fault. */
export const faultyDownloads = (routes: readonly Route[], { faults, closing }: FaultyRoutesPorts): readonly Route[] =>
  routes.map((route) => ({
    ...route,
    async handle(incoming: Incoming, ...segments: readonly string[]): Promise<Reply> {
      const reply = await route.handle(incoming, ...segments)
      const isSent = incoming.method === 'GET' && (reply.status === 200 || reply.status === 206)
      // All kinds in one call, so that the fault that was scheduled first happens first.
      const fault = isSent ? faults.take(['error_500', 'truncated_download', 'slow_download']) : null
      if (fault === null) return reply
      return fault.kind === 'error_500' ? failure() : { ...reply, body: corrupted(reply.body, fault, closing) }
    },
  }))

function corrupted(body: Reply['body'], fault: Fault, closing: AbortSignal): PiecewiseBody {
  const whole = typeof body === 'string' ? Buffer.from(body) : body
  const { sizeBytes, pieces } = Buffer.isBuffer(whole) ? { sizeBytes: whole.length, pieces: [whole] } : whole
  return fault.kind === 'slow_download'
    ? { sizeBytes, pieces: slowly(pieces, fault.ms ?? slowPieceMs, closing) }
    : { sizeBytes, pieces: cutAt(pieces, fault.at_byte ?? Math.floor(sizeBytes / 2)) }
}

async function* slowly(pieces: PiecewiseBody['pieces'], ms: number, closing: AbortSignal): AsyncGenerator<Buffer> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += slowPieceBytes) {
      await wait(ms, closing)
      yield piece.subarray(at, at + slowPieceBytes)
    }
}

async function* cutAt(pieces: PiecewiseBody['pieces'], atByte: number): AsyncGenerator<Buffer> {
  let leftBytes = atByte
  for await (const piece of pieces) {
    if (leftBytes <= 0) return
    yield piece.subarray(0, leftBytes)
    leftBytes -= piece.length
  }
}

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Node's parser of a connection. Not in its types. */
interface Parser {
  /** Called for each request after its headers. When it returns 2, the rest of what has been read is not parsed. */
  incoming: IncomingMessage | null
  onIncoming: ((request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean) => number) | null
  /** Called for each piece of a body; null: nothing is called, which takes a twentieth of the time. */
  [onBody]: ((this: Parser, piece: Buffer) => void) | null
}

const skipRest = 2
const onBody = 3

/** One read of a body in chunks of one byte takes 20 ms. */
const pieces = { free: 256, averageBytes: 256 }
const cutShort = new WeakSet<IncomingMessage>()

/** Whether `limitPieces` has ended the body. */
export const isCutShort = (request: IncomingMessage): boolean => cutShort.has(request)

/**
 * Stops reading requests after the first for which `isLast` is true; the connection ends after its answer. Node's own limit,
 * `maxRequestsPerSocket`, answers each further request with 503: one read may hold thousands, which block the main thread.
 */
export function limitRequests(socket: Socket, isLast: (count: number) => boolean): void {
  const { parser } = socket as Socket & { readonly parser?: Parser | null }
  const begin = parser?.onIncoming
  if (!parser || !begin) return
  let count = 0
  let hasEnded = false
  parser.onIncoming = (request, keepAlive) => {
    if (!hasEnded) {
      count += 1
      hasEnded = isLast(count)
      return begin(request, keepAlive && !hasEnded)
    }
    // Otherwise Node would hand the connection over to the protocol that the request offers.
    request.upgrade = false
    return skipRest
  }
}

/** Ends a body that comes in hundreds of tiny chunks: `isCutShort` is true from its last piece on. */
export function limitPieces(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: Parser | null }
  const take = parser?.[onBody]
  if (!parser || take?.name !== 'parserOnBody') return
  let request: IncomingMessage | null = null
  let count = 0
  let bytes = 0
  parser[onBody] = (piece) => {
    if (parser.incoming !== request) {
      request = parser.incoming
      count = 0
      bytes = 0
    }
    count += 1
    bytes += piece.length
    if (request && count > pieces.free && bytes < count * pieces.averageBytes) {
      parser[onBody] = null
      cutShort.add(request)
    }
    take.call(parser, piece)
  }
  // Node uses the parser for further connections.
  socket.once('close', () => (parser[onBody] = take))
}

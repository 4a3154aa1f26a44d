import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Node's parser of a connection. Not in its types. */
interface Parser {
  /** Called for each request after its headers. When it returns 2, the rest of what has been read is not parsed. */
  onIncoming: ((request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean) => number) | null
}

const skipRest = 2

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

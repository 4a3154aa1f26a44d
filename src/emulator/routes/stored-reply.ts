import { requestedRange } from '../../contract/domain/byte-range.ts'
import type { Contents, StoredBytes } from '../store/contents.ts'
import type { Incoming, Reply } from '../http/exchange.ts'
import { headerValue, refusal } from '../http/exchange.ts'

/** Up to here a body is read at once: for a usual save that is one row, and a stream would cost more than it saves. */
const atOnceBytes = 256 * 1024

/** Stored bytes come from sites and editors: an SVG opened by itself could run scripts in the emulator's origin. */
const harmless = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Answers stored bytes, whole or the one range asked for (RFC 9110, section 14); 416 beyond the end. */
export function storedReply(incoming: Incoming, contents: Contents, bytes: StoredBytes, contentType: string): Reply {
  const { contentId, start, sizeBytes } = bytes
  // Contents never change and their ids are never used twice, so a download can be taken up again where it broke off.
  const etag = `"${contentId}-${start}"`
  const headers = { 'Accept-Ranges': 'bytes', ETag: etag, 'Content-Security-Policy': harmless }
  const ifRange = headerValue(incoming.headers, 'if-range')
  const mayBePart = incoming.method === 'GET' && (ifRange === undefined || ifRange === etag)
  const range = requestedRange(mayBePart ? headerValue(incoming.headers, 'range') : undefined, sizeBytes)
  if (range === 'unsatisfiable') {
    const refused = refusal(416, 'range_not_satisfiable', `There are ${sizeBytes} bytes here.`)
    return { ...refused, headers: { ...headers, 'Content-Range': `bytes */${sizeBytes}` } }
  }
  const from = range?.start ?? 0
  const length = range?.length ?? sizeBytes
  const part = { contentId, start: start + from, sizeBytes: length }
  return {
    status: range === null ? 200 : 206,
    contentType,
    body: length <= atOnceBytes ? contents.readWhole(part) : { sizeBytes: length, pieces: contents.read(part) },
    headers:
      range === null ? headers : { ...headers, 'Content-Range': `bytes ${from}-${from + length - 1}/${sizeBytes}` },
  }
}

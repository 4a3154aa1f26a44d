import { requestedRange } from '@galley/wire'

import type { Incoming, Reply } from '../http/exchange.ts'
import { headerValue, refusal } from '../http/exchange.ts'
import type { Contents, StoredBytes } from '../store/contents.ts'

/** Smaller bodies are read at once: a typical save is a single row, for which a stream would be slower. */
const bufferedBytes = 256 * 1024

/** Stored files come from sites and editors: an SVG opened directly could run scripts in the emulator's origin. */
const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Serves stored bytes, whole or in one range (RFC 9110, section 14); 416 for a range beyond the end. */
export function storedReply(incoming: Incoming, contents: Contents, bytes: StoredBytes, contentType: string): Reply {
  const { contentId, start, sizeBytes } = bytes
  // Contents never change and ids are never reused, so an interrupted download can be resumed.
  const etag = `"${contentId}-${start}"`
  const headers = { 'Accept-Ranges': 'bytes', ETag: etag, 'Content-Security-Policy': sandboxPolicy }
  const ifRange = headerValue(incoming.headers, 'if-range')
  const mayBePart = incoming.method === 'GET' && (ifRange === undefined || ifRange === etag)
  const range = requestedRange(mayBePart ? headerValue(incoming.headers, 'range') : undefined, sizeBytes)
  if (range === 'unsatisfiable') {
    const refused = refusal(416, 'range_not_satisfiable', `This file has ${sizeBytes} bytes.`)
    return { ...refused, headers: { ...headers, 'Content-Range': `bytes */${sizeBytes}` } }
  }
  const from = range?.start ?? 0
  const length = range?.length ?? sizeBytes
  const part = { contentId, start: start + from, sizeBytes: length }
  return {
    status: range === null ? 200 : 206,
    contentType,
    body: length <= bufferedBytes ? contents.readWhole(part) : { sizeBytes: length, pieces: contents.read(part) },
    headers:
      range === null ? headers : { ...headers, 'Content-Range': `bytes ${from}-${from + length - 1}/${sizeBytes}` },
  }
}

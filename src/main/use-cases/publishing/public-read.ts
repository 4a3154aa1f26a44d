import { brotliDecompressSync, constants, unzipSync } from 'node:zlib'
import type { Agent } from 'undici'

import type { Cause, CauseCode } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { bodyStart, httpClient } from '../../platform/network/http-client.ts'
import type { PublicProblem } from '../../platform/s3/public-answer.ts'
import { refusedWith, unreachedBecause } from '../../platform/s3/public-answer.ts'

/** A file as fetched from its public URL. */
export interface PublicRead {
  /** Why it cannot be fetched, or null. */
  readonly problem: Cause | null
  /** Whether a retry may succeed. */
  readonly again: boolean
  /** The value of Access-Control-Allow-Origin, which fonts need. */
  readonly allowedOrigin: string | null
}

/** The file that should be there: its first bytes and its type, and whether no server in between may convert it. */
interface ExpectedFile {
  readonly start: Buffer
  readonly type: string
  readonly isExact?: boolean
}

const readLimitMs = 15_000
/** How many bytes of a file to fetch. */
export const publicReadBytes = 1024

/** What a CDN keeps of a type when it converts media or shortens code; '' for files that it serves as they are. */
const convertedKind = (type: string): string =>
  /^(?:image|video|audio|text\/(?:css|javascript))\b/.exec(type)?.[0] ?? ''

/** Some servers compress although they are asked not to. Cut off, this gives fewer bytes. */
const decompressed: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': (bytes) => unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: (bytes) => unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  br: (bytes) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

function beginsLike(found: Buffer, start: Buffer, encoding: string): boolean {
  const decompress = decompressed[encoding.toLowerCase()]
  if (decompress === undefined) return found.equals(start)
  try {
    const plain = decompress(found).subarray(0, start.length)
    return plain.length > 0 && plain.equals(start.subarray(0, plain.length))
  } catch {
    // These bytes are not compressed in this way.
    return false
  }
}

/** Fetches the first bytes of a public file without keys. Does not follow redirects, because the service does not either. */
export async function readPublic(
  url: string,
  { start, type, isExact = false }: ExpectedFile,
  { agent, origin, signal }: { readonly agent: Agent; readonly origin?: string; readonly signal: AbortSignal },
): Promise<PublicRead> {
  const unread = ({ problem, isPassing }: PublicProblem): PublicRead => ({
    problem,
    again: isPassing,
    allowedOrigin: null,
  })
  const ended = (code: CauseCode): PublicRead => unread({ problem: cause(code), isPassing: false })
  try {
    const { request } = await httpClient()
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(readLimitMs)]),
      headers: {
        range: `bytes=0-${publicReadBytes - 1}`,
        'accept-encoding': 'identity',
        ...(origin !== undefined && { origin }),
      },
    })
    const found = await bodyStart(body, publicReadBytes)
    if (statusCode !== 200 && statusCode !== 206) return unread(refusedWith(statusCode))
    // A CDN may convert files, but keeps their kind. Any other answer does not have the file, such as a web page or an error in
    // JSON from a server that responds to every URL.
    const isSame = beginsLike(found, start, String(headers['content-encoding']))
    const foundType = String(headers['content-type'])
    if (!isSame && foundType.startsWith('text/html') && !type.startsWith('text/html')) return ended('public_page')
    const kind = isExact ? '' : convertedKind(type)
    if (!isSame && (kind === '' || convertedKind(foundType) !== kind)) return ended('public_different')
    const allowed = headers['access-control-allow-origin']
    return { problem: null, again: false, allowedOrigin: typeof allowed === 'string' ? allowed : null }
  } catch (error) {
    return unread(unreachedBecause(error))
  }
}

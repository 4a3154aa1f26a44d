import { networkWords } from './callback-client.ts'

/** What a public URL gave, or why it could not be asked. */
export type Fetched =
  | { readonly kind: 'file'; readonly status: number; readonly headers: Headers; readonly bytes: Buffer }
  /** `isTheirs`: its origin has answered in this run, so it is the site that does not serve. */
  | { readonly kind: 'unreachable'; readonly why: string; readonly isTheirs: boolean }

const timeoutMs = 10_000
const megabyte = 1024 * 1024
/** Four times the largest file of a run; the rest is not read. */
const fileMaxBytes = 32 * megabyte
/** An origin that never answered is not asked more often than this in a row: it would cost the deadline each time. */
const triesMax = 3

/**
 * Fetches public URLs as a browser would, following redirects. An origin that was never reached from here judges nobody;
 * that of the callback URL has been reached.
 */
export function createPublicFetch(callbackUrl: URL, signal: AbortSignal) {
  const answered = new Set([callbackUrl.origin])
  const lost = new Map<string, { readonly count: number; readonly why: string }>()
  return async (url: string, headers: Readonly<Record<string, string>>): Promise<Fetched> => {
    const { origin } = new URL(url)
    const before = lost.get(origin)
    if (before !== undefined && before.count >= triesMax && !answered.has(origin))
      return { kind: 'unreachable', why: before.why, isTheirs: false }
    try {
      const response = await fetch(url, { headers, signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]) })
      const bytes = await bytesUpTo(fileMaxBytes, response)
      answered.add(origin)
      if (bytes === null)
        return { kind: 'unreachable', why: `the answer is larger than ${fileMaxBytes / megabyte} MiB`, isTheirs: true }
      return { kind: 'file', status: response.status, headers: response.headers, bytes }
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const why = isLate ? `no answer within ${timeoutMs / 1000} s` : networkWords(error)
      lost.set(origin, { count: (before?.count ?? 0) + 1, why })
      return { kind: 'unreachable', why, isTheirs: answered.has(origin) }
    }
  }
}

/** The body, or null as soon as it is larger than that. */
async function bytesUpTo(maxBytes: number, { body }: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

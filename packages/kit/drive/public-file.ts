import { networkErrorText } from './callback-client.ts'

/** The response of a public URL, or why it could not be fetched. */
export type FetchResult =
  | { readonly kind: 'file'; readonly status: number; readonly headers: Headers; readonly bytes: Buffer }
  /** `isSiteFault`: this origin answered before in this run, so the site is at fault. `isCut`: its connection ended early. */
  | { readonly kind: 'unreachable'; readonly why: string; readonly isSiteFault: boolean; readonly isCut: boolean }

const timeoutMs = 10_000
const megabyte = 1024 * 1024
/** Four times the largest file of a run; the rest is not read. */
const fileMaxBytes = 32 * megabyte
/** Attempts in a row for an origin that never answered; each one costs the whole timeout. */
const triesMax = 3

/**
 * Fetches public URLs and follows redirects, like a browser. An origin that was never reached does not count against
 * the site; the origin of the callback URL was reached.
 */
export function createPublicFetch(callbackUrl: URL, signal: AbortSignal) {
  const answered = new Set([callbackUrl.origin])
  const lost = new Map<string, { readonly count: number; readonly why: string }>()
  return async (url: string, headers: Readonly<Record<string, string>>): Promise<FetchResult> => {
    const { origin } = new URL(url)
    const before = lost.get(origin)
    if (before !== undefined && before.count >= triesMax && !answered.has(origin))
      return { kind: 'unreachable', why: before.why, isSiteFault: false, isCut: false }
    try {
      const response = await fetch(url, { headers, signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]) })
      const bytes = await bytesUpTo(fileMaxBytes, response)
      answered.add(origin)
      if (bytes === null)
        return {
          kind: 'unreachable',
          why: `the answer is larger than ${fileMaxBytes / megabyte} MiB`,
          isSiteFault: true,
          isCut: false,
        }
      return { kind: 'file', status: response.status, headers: response.headers, bytes }
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const why = isLate ? `no answer within ${timeoutMs / 1000} s` : networkErrorText(error)
      lost.set(origin, { count: (before?.count ?? 0) + 1, why })
      const isSiteFault = answered.has(origin)
      return { kind: 'unreachable', why, isSiteFault, isCut: isSiteFault && !isLate }
    }
  }
}

/** The body, or null as soon as it exceeds the limit. */
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

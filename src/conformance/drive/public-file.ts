import { networkWords } from './callback-client.ts'

/** What a public URL gave, or why it could not be asked. */
export type Fetched =
  | { readonly kind: 'file'; readonly status: number; readonly headers: Headers; readonly bytes: Buffer }
  | { readonly kind: 'unreachable'; readonly why: string }

const timeoutMs = 10_000

/**
 * Fetches public URLs as a browser would, following redirects. A host that is not reached from here judges nobody, and
 * is not asked again: it would cost the deadline each time.
 */
export function createPublicFetch(signal: AbortSignal) {
  const unreachable = new Map<string, Fetched>()
  return async (url: string, headers: Readonly<Record<string, string>>): Promise<Fetched> => {
    const { origin } = new URL(url)
    const known = unreachable.get(origin)
    if (known) return known
    try {
      const response = await fetch(url, { headers, signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]) })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { kind: 'file', status: response.status, headers: response.headers, bytes }
    } catch (error) {
      const fetched: Fetched = { kind: 'unreachable', why: networkWords(error) }
      unreachable.set(origin, fetched)
      return fetched
    }
  }
}

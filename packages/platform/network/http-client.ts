import type { Agent } from 'undici'

const load = () => import('undici')
let client: ReturnType<typeof load> | null = null

/**
 * Loads the HTTP client at the first request: it takes a tenth of a second, which would slow down the start. Kept, because
 * Node looks for the package at each import.
 */
export const httpClient = () => (client ??= load())

/**
 * For requests whose answer is trusted to belong to them: each has a connection of its own, because on a shared one a gateway
 * that has lost count sends the answer to an earlier request.
 */
export const unsharedConnections: Agent.Options = { pipelining: 0 }

/** The first bytes of a body. The rest is not read. */
export async function bodyStart(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

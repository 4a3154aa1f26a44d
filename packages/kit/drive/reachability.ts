import { sendTo } from './callback-client.ts'

const timeoutMs = 10_000

interface Target {
  readonly callbackUrl: URL
  readonly baseUrl: URL
  readonly signatureHeader: string
}

/**
 * Checks that a backend listens at the callback URL. Returns the reason if not, otherwise null. Sends a complete callback
 * with an invalid signature: a backend that refuses it or closes the connection is reachable.
 */
export async function whyUnreachable(
  { callbackUrl, baseUrl, signatureHeader }: Target,
  signal: AbortSignal,
): Promise<string | null> {
  const contentUrl = new URL('download/media/probe/none', `${baseUrl.href}/`).href
  const probe = { event: 'article_saved', material_id: 'probe', content_url: contentUrl, metadata: {} }
  const answer = await sendTo(callbackUrl, {
    headers: { 'content-type': 'application/json', [signatureHeader]: '0'.repeat(64) },
    body: JSON.stringify(probe),
    timeoutMs,
    signal,
  })
  if (answer.kind === 'answer' || answer.kind === 'cut' || signal.aborted) return null
  return `${callbackUrl.origin}${callbackUrl.pathname}: ${answer.why}.`
}

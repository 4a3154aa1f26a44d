import { hostCause, httpClient, privateAddressCode, retryAfterMs, unsharedConnections } from '@galley/platform'
import type { Network } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { cause, errorCode, reachOf } from '@galley/wire'

/** A message to send once. `addresses`: the private ones that a person has confirmed for this URL. */
export interface WebhookMessage {
  readonly url: string
  readonly addresses: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How an attempt ended. `cause` null: it was accepted. `waitMs`: for how long the receiver wants nothing more. */
export interface WebhookAnswer {
  readonly status: number | null
  readonly cause: Cause | null
  readonly waitMs: number
}

/** However long the receiver asks to wait. */
const waitAtMostMs = 24 * 60 * 60 * 1000

/** The addresses that the names of this computer have. */
const ownAddresses = ['127.0.0.1', '::1']

/**
 * Sends a message: follows no redirect, and reads nothing of the answer but its status and how long to wait. Connects to a
 * private address only if it is in the URL or in `addresses`, whatever the host name leads to at this moment. Rejects when
 * `signal` is aborted.
 */
export async function attempt(
  { url, addresses, headers, body }: WebhookMessage,
  {
    network,
    timeoutMs,
    signal,
  }: { readonly network: Network; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<WebhookAnswer> {
  const allowed = reachOf(new URL(url).hostname) === 'machine' ? ownAddresses : addresses
  const connections = network.connections({ ...unsharedConnections, connectMs: timeoutMs }, allowed)
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const { request } = await httpClient()
    const answer = await request(url, {
      dispatcher: await connections.get(),
      method: 'POST',
      signal: AbortSignal.any([signal, deadline]),
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Galley webhook' },
      body,
    })
    // Closing the body early causes an error that means nothing.
    answer.body.on('error', () => undefined).destroy()
    const retryAfter = answer.headers['retry-after']
    const why = causeOf(answer.statusCode)
    const isAsked = why !== null && typeof retryAfter === 'string'
    const waitMs = isAsked ? retryAfterMs({ headers: { 'retry-after': retryAfter } }, new Date(), waitAtMostMs) : 0
    return { status: answer.statusCode, cause: why, waitMs }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error)) throw error
    return { status: null, cause: deadline.aborted ? cause('host_late') : causeOfError(error), waitMs: 0 }
  } finally {
    await connections.destroy()
  }
}

function causeOf(status: number): Cause | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return cause('webhook_gone')
  return cause(status >= 300 && status < 400 ? 'webhook_redirect' : 'webhook_status', { name: status })
}

function causeOfError(error: Error): Cause {
  const isRefused = errorCode(error) === privateAddressCode && 'address' in error && typeof error.address === 'string'
  return isRefused ? cause('webhook_private', { name: error.address as string }) : hostCause(error)
}

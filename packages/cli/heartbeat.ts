import { hostCause, httpClient } from '@galley/platform'
import type { Network } from '@galley/platform'
import { causeSentence } from '@galley/wire'

/** How often a service that watches hears that the listener is ready. */
const everyMs = 60_000
/** How long one request may take. */
const limitMs = 10_000

export interface Heartbeat {
  readonly beat: () => void
  readonly stop: () => Promise<void>
}

interface Edges {
  readonly network: Network
  readonly isReady: () => Promise<boolean>
  readonly log: (line: string) => void
  readonly everyMs?: number
}

/**
 * Requests a URL every minute while the listener is ready: a service that watches raises an alarm when the requests stop. They
 * carry nothing. A failure is logged once, until one succeeds. The URL may be a secret, so no message has it. `beat`: does so now.
 */
export function startHeartbeat(url: string, { network, isReady, log, ...edges }: Edges): Heartbeat {
  const connections = network.connections({ connectMs: limitMs }, 'anywhere')
  const stop = new AbortController()
  let isFailing = false
  let running: Promise<void> | null = null

  async function beatOnce(): Promise<void> {
    if (!(await isReady())) return
    const problem = await request().catch((error: unknown) => causeSentence(hostCause(error)))
    if (stop.signal.aborted || (problem !== null) === isFailing) return
    isFailing = problem !== null
    log(isFailing ? `The heartbeat failed: ${problem}. Saves are received as before.` : 'The heartbeat works again.')
  }

  /** Resolves to what is wrong with the answer; null: nothing. */
  async function request(): Promise<string | null> {
    const client = await httpClient()
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(limitMs)])
    const { statusCode, body } = await client.request(url, { dispatcher: await connections.get(), signal })
    body.on('error', () => undefined).destroy()
    return statusCode < 300 ? null : `the answer has status ${statusCode}`
  }

  const beat = (): void => {
    running ??= beatOnce()
      .catch(() => undefined)
      .finally(() => (running = null))
  }
  const timer = setInterval(beat, edges.everyMs ?? everyMs)
  return {
    beat,
    async stop() {
      clearInterval(timer)
      stop.abort()
      await running
      await connections.destroy()
    },
  }
}

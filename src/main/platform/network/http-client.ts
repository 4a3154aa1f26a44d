import type { Readable } from 'node:stream'
import type { Agent } from 'undici'

import type { Site } from '../../../contract/domain/site.ts'
import { namesInnerHost, publicLookup } from './private-addresses.ts'

/** The HTTP client, loaded at the first request: that takes a tenth of a second, which no start has to wait for. */
export const httpClient = () => import('undici')

/** An agent that is made when it is first used, and with it the client. */
function agentOnUse(options: Agent.Options) {
  let agent: Promise<Agent> | null = null
  return {
    get: () => (agent ??= httpClient().then((client) => new client.Agent(options))),
    /** Ends what is under way. */
    destroy: async (): Promise<void> => (await agent)?.destroy(),
  }
}

/** Connections to the service of a site, which a name cannot turn towards this machine or a private network. */
export function serviceAgents(options: Agent.Options) {
  const anywhere = agentOnUse(options)
  const publicOnly = agentOnUse({ ...options, connect: { lookup: publicLookup } })
  return {
    /** The agent for requests to this host. A site for development, or one that names an inner address outright, means it. */
    for({ environment }: Pick<Site, 'environment'>, hostname: string): Promise<Agent> {
      return (environment === 'dev' || namesInnerHost(hostname) ? anywhere : publicOnly).get()
    },
    /** Ends what is under way. */
    destroy: (): Promise<void> => Promise.all([anywhere.destroy(), publicOnly.destroy()]).then(() => undefined),
  }
}

/** The first bytes of a body; the rest is not read. */
export async function bodyStart(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

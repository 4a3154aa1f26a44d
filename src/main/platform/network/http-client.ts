import type { Readable } from 'node:stream'
import type { Agent } from 'undici'

import type { Site } from '../../../contract/domain/site.ts'
import { chunksOf } from './chunks.ts'
import { namesInnerHost, publicLookup } from './private-addresses.ts'

const load = () => import('undici')
let client: ReturnType<typeof load> | null = null

/**
 * Loads the HTTP client at the first request: it takes a tenth of a second, which would slow down the start. Kept, because
 * Node looks for the package at each import.
 */
export const httpClient = () => (client ??= load())

/** An agent that is created, with the client, at its first use. */
function agentOnUse(options: Agent.Options) {
  let agent: Promise<Agent> | null = null
  return {
    get: () => (agent ??= httpClient().then((client) => new client.Agent(options))),
    /** Aborts running requests. */
    destroy: async (): Promise<void> => (await agent)?.destroy(),
  }
}

/**
 * For requests whose answer is trusted to belong to them: each has a connection of its own, because on a shared one a gateway
 * that has lost count sends the answer to an earlier request.
 */
export const unsharedConnections: Agent.Options = { pipelining: 0 }

/** Connections to the service of a site. Host names cannot redirect them to this computer or a private network. */
export function serviceAgents(options: Agent.Options) {
  const anywhere = agentOnUse(options)
  const publicOnly = agentOnUse({ ...options, connect: { lookup: publicLookup } })
  return {
    /** The agent for requests to this host. Development sites and explicit private addresses may use the private network. */
    for({ environment }: Pick<Site, 'environment'>, hostname: string): Promise<Agent> {
      return (environment === 'dev' || namesInnerHost(hostname) ? anywhere : publicOnly).get()
    },
    /** Aborts running requests. */
    destroy: (): Promise<void> => Promise.all([anywhere.destroy(), publicOnly.destroy()]).then(() => undefined),
  }
}

/** The first bytes of a body. The rest is not read. */
export async function bodyStart(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(body)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

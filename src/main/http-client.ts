import type { Agent } from 'undici'

/** The HTTP client, loaded at the first request: that takes a tenth of a second, which no start has to wait for. */
export const httpClient = () => import('undici')

/** An agent that is made when it is first used, and with it the client. */
export function agentOnUse(options: Agent.Options) {
  let agent: Promise<Agent> | null = null
  return {
    get: () => (agent ??= httpClient().then((client) => new client.Agent(options))),
    /** Ends what is under way. */
    destroy: async (): Promise<void> => (await agent)?.destroy(),
  }
}

import type { Site } from '../records/site.ts'

/** The default port of the listener. */
export const defaultPort = 8787

/** The port for callbacks: that of the first callback URL on this computer, otherwise the default. */
export function listenerPort(sites: readonly Pick<Site, 'callbackUrl'>[]): number {
  for (const { callbackUrl } of sites) {
    const { hostname, port } = new URL(callbackUrl)
    if ((hostname === '127.0.0.1' || hostname === 'localhost') && port !== '') return Number(port)
  }
  return defaultPort
}

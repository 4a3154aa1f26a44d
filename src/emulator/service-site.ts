/** One integrated site as the service knows it: the key, its secret and what the key may be used for. */
export interface ServiceSite {
  readonly apiKey: string
  readonly apiSecret: string
  /** Header that carries signatures, in both directions. */
  readonly signatureHeader: string
  /** Hosts of callbacks and of answered font URLs: `example.com`, `*.example.com`; empty means loopback hosts only. */
  readonly allowedDomains: readonly string[]
}

/** The sites of one emulator by key. The first is the one meant where a local command names none. */
export type ServiceSites = ReadonlyMap<string, ServiceSite>

/** Whether a host name (as `URL.hostname` writes it) is this machine itself. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Whether the key may be used with this host (contract, Authentication 1). Ports do not matter. */
export function isAllowedHost(site: ServiceSite, hostname: string): boolean {
  if (site.allowedDomains.length === 0) return isLoopback(hostname)
  return site.allowedDomains.some((entry) => {
    const domain = entry.toLowerCase()
    return domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain
  })
}

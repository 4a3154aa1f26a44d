import { defaultSignatureHeader, isAllowedHost as isOnDomains } from '@galley/wire'

import { isLoopback } from '../http/addresses.ts'

/** A site registered with the service: its key, its secret and its permissions. */
export interface ServiceSite {
  readonly apiKey: string
  readonly apiSecret: string
  /** Display name. */
  readonly name: string
  /** Dev and prod have separate keys and are separate sites, which share nothing. */
  readonly environment: 'dev' | 'prod'
  /** Header that carries signatures, in both directions. */
  readonly signatureHeader: string
  /** Hosts that the key allows, each including its subdomains; none allows loopback hosts only. */
  readonly allowedDomains: readonly string[]
}

/** The emulator's sites by key. Local commands use the first one by default. */
export type ServiceSites = ReadonlyMap<string, ServiceSite>

/** A site's configuration; optional values have defaults. */
export type SiteSetup = Pick<ServiceSite, 'apiKey' | 'apiSecret'> & Partial<ServiceSite>

/** Sites by key, in order. */
export const sitesByKey = (setups: readonly SiteSetup[]): ServiceSites =>
  new Map(
    setups.map(({ apiKey, apiSecret, name, environment, signatureHeader, allowedDomains }) => [
      apiKey,
      {
        apiKey,
        apiSecret,
        name: name ?? apiKey,
        environment: environment ?? 'dev',
        signatureHeader: signatureHeader ?? defaultSignatureHeader,
        allowedDomains: allowedDomains ?? [],
      },
    ]),
  )

/** Whether the key allows this host (contract, Authentication 1). Ports are ignored. */
export const isAllowedHost = ({ allowedDomains }: ServiceSite, hostname: string): boolean =>
  allowedDomains.length === 0 ? isLoopback(hostname) : isOnDomains(hostname, allowedDomains)

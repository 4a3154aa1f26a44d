import { defaultSignatureHeader } from '../../contract/protocol/signed-text.ts'
import { isAllowedHost as isOnDomains } from '../../contract/protocol/allowed-domains.ts'
import { isLoopback } from '../http/addresses.ts'

/** One integrated site as the service knows it: the key, its secret and what the key may be used for. */
export interface ServiceSite {
  readonly apiKey: string
  readonly apiSecret: string
  /** What people call it. */
  readonly name: string
  /** Dev and prod are two keys and so two sites, which share nothing. */
  readonly environment: 'dev' | 'prod'
  /** Header that carries signatures, in both directions. */
  readonly signatureHeader: string
  /** Hosts that the key may be used with, each with every name below it; none means loopback hosts only. */
  readonly allowedDomains: readonly string[]
}

/** The sites of one emulator by key. The first is the one meant where a local command names none. */
export type ServiceSites = ReadonlyMap<string, ServiceSite>

/** A site as it is set up; what is left out has a plain default. */
export type SiteSetup = Pick<ServiceSite, 'apiKey' | 'apiSecret'> & Partial<ServiceSite>

/** Sites by key, in their order. */
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

/** Whether the key may be used with this host (contract, Authentication 1). Ports do not matter. */
export const isAllowedHost = ({ allowedDomains }: ServiceSite, hostname: string): boolean =>
  allowedDomains.length === 0 ? isLoopback(hostname) : isOnDomains(hostname, allowedDomains)

import type { Site } from './site.ts'

/** The URLs of a site to which credentials are sent. */
export type CredentialField = 'baseUrl' | 'callbackUrl' | 'downloadOrigins'

type Addressed = Pick<Site, 'environment' | CredentialField>

/** A URL of a site to which credentials would be sent unencrypted. */
export interface PlainAddress {
  readonly field: CredentialField
  readonly url: string
}

/** Whether a host is this computer. `hostname` is normalized by the URL parser. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

function isPlain(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopback(hostname)
}

/**
 * The plain http URLs of a production site on other hosts: its API key, signatures, callback credentials and saved pages
 * could be read and changed in transit. Skips invalid URLs.
 */
export function plainAddresses({
  environment,
  baseUrl,
  callbackUrl,
  downloadOrigins,
}: Addressed): readonly PlainAddress[] {
  if (environment === 'dev') return []
  const addresses: readonly PlainAddress[] = [
    { field: 'baseUrl', url: baseUrl },
    { field: 'callbackUrl', url: callbackUrl },
    ...downloadOrigins.map((url) => ({ field: 'downloadOrigins' as const, url })),
  ]
  return addresses.filter(({ url }) => isPlain(url))
}

const labels: Readonly<Record<CredentialField, string>> = {
  baseUrl: 'the base URL',
  callbackUrl: 'the callback URL',
  downloadOrigins: 'a download address',
}

/** The risk, as text for the command line. */
export const describePlainAddress = ({ field }: PlainAddress): string =>
  `${labels[field]} is not encrypted (http), so the API key, signatures, callback credentials and saved pages can be read or changed in transit`

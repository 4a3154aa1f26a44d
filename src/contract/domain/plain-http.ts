import type { Site } from './site.ts'

/** Addresses that a site's credentials go to. */
export type CredentialField = 'baseUrl' | 'callbackUrl' | 'downloadOrigins'

type Addressed = Pick<Site, 'environment' | CredentialField>

/** One address of a site that credentials would go to in clear. */
export interface PlainAddress {
  readonly field: CredentialField
  readonly url: string
}

/** Whether the bytes for this host never leave the computer. `hostname` is one that the URL parser has normalised. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

function isPlain(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopback(hostname)
}

/**
 * The addresses of a production site that are plain http to another computer: API key, signatures, callback credentials
 * and saved pages could be read and changed on the way. Addresses that are no URL yet are none.
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

/** What is at risk, as the command line says it. */
export const describePlainAddress = ({ field }: PlainAddress): string =>
  `${labels[field]} is not encrypted (http), so the API key, signatures, callback credentials and saved pages can be read or changed in transit`

import { reachOf } from '@galley/wire'

import type { Site } from './site.ts'

/** Endings of names for private networks (RFC 6762, ICANN's `internal`), for tests and for this computer. */
const innerName = /\.(?:local|internal|test|localhost)$/

/**
 * Whether the host of a URL is on the internet, as far as its name or address tells: everything but this computer, private
 * addresses, names without a dot, and endings for private networks and tests. A name that cannot be resolved counts.
 */
function isPublic(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '')
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host)
  return isAddress ? reachOf(host) === 'public' : host.includes('.') && !innerName.test(host)
}

/** Whether the service of a site is on the internet; false while the base URL is no URL. */
export const isPublicService = (baseUrl: string): boolean => URL.canParse(baseUrl) && isPublic(baseUrl)

/** A URL of a site that its service has to reach. */
export type ReachedField = 'callbackUrl' | 'publicUrl'

/**
 * The URLs of a site that its service cannot reach, because the service is on the internet and they are not: no save can arrive,
 * or none with media can be shown. Skips invalid URLs. Without a public URL, media have the host of the callback URL.
 */
export function unreachableFields(site: Pick<Site, 'baseUrl' | 'callbackUrl' | 'publicUrl'>): readonly ReachedField[] {
  if (!isPublicService(site.baseUrl)) return []
  const fields = ['callbackUrl', 'publicUrl'] as const
  return fields.filter((field) => {
    const url = site[field]
    return url !== null && URL.canParse(url) && !isPublic(url)
  })
}

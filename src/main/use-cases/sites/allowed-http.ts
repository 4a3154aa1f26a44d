import { z } from 'zod'

import type { PlainAddress } from '../../../contract/domain/plain-http.ts'
import { plainAddresses } from '../../../contract/domain/plain-http.ts'
import type { Site } from '../../../contract/domain/site.ts'
import type { Index } from '../../library/db/library-index.ts'

const urls = z.array(z.string())

/**
 * Which plain http addresses of sites a person has allowed, kept with the library on this computer. Addresses are allowed,
 * not sites: another http address has to be allowed anew.
 */
export function createAllowedHttp(settings: Index['settings']) {
  const nameOf = (id: string): string => `allowed-http/${id}`
  const allowed = (id: string): ReadonlySet<string> => new Set(urls.parse(JSON.parse(settings.get(nameOf(id)) ?? '[]')))

  return {
    /**
     * The first address that keeps a site from being saved; null when there is none. `wish` is what a person says now;
     * null is nobody, and then addresses count that were allowed before or are stored already.
     */
    refused(site: Site, before: Site | null, wish: boolean | null): PlainAddress | null {
      const plain = plainAddresses(site)
      if (wish !== null) return (wish ? null : plain[0]) ?? null
      const known = new Set([...allowed(site.id), ...(before ? plainAddresses(before).map(({ url }) => url) : [])])
      return plain.find(({ url }) => !known.has(url)) ?? null
    },
    /** Whether every plain address of a site was allowed; false for a site that has none. */
    covers(site: Site): boolean {
      const plain = plainAddresses(site)
      const known = allowed(site.id)
      return plain.length > 0 && plain.every(({ url }) => known.has(url))
    },
    allow(site: Site): void {
      settings.put(nameOf(site.id), JSON.stringify(plainAddresses(site).map(({ url }) => url)))
    },
    forget: (id: string): void => settings.forget(nameOf(id)),
  }
}

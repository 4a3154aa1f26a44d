import { z } from 'zod'

import type { Index } from '../db/library-index.ts'
import type { PlainAddress } from '../records/plain-http.ts'
import { plainAddresses } from '../records/plain-http.ts'
import type { Site } from '../records/site.ts'

const urls = z.array(z.string())

/**
 * The plain http URLs that a person has allowed, stored with the library on this computer. Permission is per URL, not per
 * site: a different http URL must be allowed again.
 */
export function createAllowedHttp(settings: Index['settings']) {
  const nameOf = (id: string): string => `allowed-http/${id}`
  const allowed = (id: string): ReadonlySet<string> => new Set(urls.parse(JSON.parse(settings.get(nameOf(id)) ?? '[]')))

  return {
    /**
     * The first URL that prevents saving a site; null if none. `consent` is the person's choice; with null, URLs count as
     * allowed if they were allowed before or are already stored.
     */
    refused(site: Site, before: Site | null, consent: boolean | null): PlainAddress | null {
      const plain = plainAddresses(site)
      if (consent !== null) return (consent ? null : plain[0]) ?? null
      const known = new Set([...allowed(site.id), ...(before ? plainAddresses(before).map(({ url }) => url) : [])])
      return plain.find(({ url }) => !known.has(url)) ?? null
    },
    /** Whether every plain http URL of a site was allowed; false if it has none. */
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

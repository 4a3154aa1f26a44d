import type { SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { UnsignedSaves } from '../../views/materials.ts'

/** The setting with the last callback of a site up to which its unsigned saves were dismissed, or its secret was another. */
const settledName = 'unsigned-saves-settled:'

/** Saves that seem to come from the service of a site, but are not signed with the site's secret. */
export function createUnsignedSaves(db: Database) {
  const settled = db.prepare<[string], { arrival: number }>(
    'SELECT CAST(value AS INTEGER) AS arrival FROM setting WHERE name = ?',
  )
  const since = db.prepare<[string, number], { count: number; since: string | null; newest: number | null }>(
    `SELECT count(*) AS count, min(c.received_at) AS since, max(c.arrival) AS newest
     FROM callback c INDEXED BY callback_suspect WHERE c.site = ? AND c.is_suspect = 1 AND c.arrival > ?`,
  )
  const newest = db.prepare<[number], Pick<UnsignedSaves, 'newest' | 'signedIn'>>(
    `SELECT id AS newest, json_extract(facts, '$.signedIn') AS signedIn FROM callback WHERE arrival = ?`,
  )
  // Anybody can repeat a callback that was signed earlier, with an earlier secret.
  const signed = db.prepare<[string], { arrival: number }>(
    `SELECT arrival FROM callback c INDEXED BY callback_by_site
     WHERE c.site = ? AND c.signature = 'valid' AND c.outcome IS NOT 'duplicate' ORDER BY c.arrival DESC LIMIT 1`,
  )
  const last = db.prepare<[string], { arrival: number | null }>(
    'SELECT max(arrival) AS arrival FROM callback WHERE site = ?',
  )
  const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')

  return {
    /** Those after the last save that was signed rightly; null if there are none, or a person has dealt with them. */
    of(site: SiteId): UnsignedSaves | null {
      const after = settled.get(settledName + site)?.arrival ?? 0
      if ((since.get(site, after)?.count ?? 0) === 0) return null
      const found = since.get(site, Math.max(after, signed.get(site)?.arrival ?? 0))
      const one = found?.newest == null ? undefined : newest.get(found.newest)
      return found?.since == null || one === undefined ? null : { count: found.count, since: found.since, ...one }
    },
    /** Forgets those so far: a person has dismissed them, or changed what they are checked with. */
    settle: (site: SiteId): void => void put.run(settledName + site, String(last.get(site)?.arrival ?? 0)),
  }
}

import type { Database } from 'better-sqlite3'

import type { FailedSaves } from '../../../contract/ipc/callbacks.ts'
import { durably } from './durably.ts'

/** Anyone can send what is not signed: it says nothing of a save. What a rule refused was meant to be refused. */
const isFailed = (callback: string): string =>
  `${callback}.signature = 'valid' AND ${callback}.outcome IN ('failed', 'rejected', 'interrupted')`

/** Up to which arrival somebody has looked at the callbacks of a site, on this machine. */
const seenName = 'failed-saves-seen:'
const seenOf = (site: string): string =>
  `coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE name = '${seenName}' || ${site}), 0)`

/** SQL: whether the last save of material `m` failed and nobody has looked at it; a later one that was stored makes it good. */
export const lastSaveFailed = `coalesce((SELECT c.outcome <> 'stored' AND c.arrival > ${seenOf('m.site')}
  FROM callback c WHERE c.site = m.site AND c.material_id = m.material_id AND c.kind = 'article_saved'
    AND (c.outcome = 'stored' OR (${isFailed('c')}))
  ORDER BY c.arrival DESC LIMIT 1), 0)`

/** Saves that failed, that no later save of the same material has made good, and that nobody has looked at yet. */
export function createFailedSaves(db: Database) {
  const open = `${isFailed('c')} AND c.arrival > ${seenOf('c.site')}
    AND NOT EXISTS (SELECT 1 FROM callback later WHERE later.site = c.site AND later.material_id = c.material_id
      AND later.arrival > c.arrival AND later.kind = c.kind AND later.outcome = 'stored')`
  const failed = db.prepare<[string], { count: number; newest: number | null }>(
    `SELECT count(*) AS count, max(c.arrival) AS newest FROM callback c INDEXED BY callback_by_site
     WHERE c.site = ? AND ${open}`,
  )
  const one = db.prepare<[number], NonNullable<FailedSaves['newest']>>(
    `SELECT c.id, c.received_at AS receivedAt, c.material_id AS materialId,
       (SELECT title FROM material m WHERE m.site = c.site AND m.material_id = c.material_id) AS title
     FROM callback c WHERE c.arrival = ?`,
  )
  const ofStorage = db.prepare<[], { yes: number }>(
    `SELECT 1 AS yes FROM callback c WHERE c.outcome = 'failed' AND c.code = 'storage_failed' AND ${open} LIMIT 1`,
  )
  const last = db.prepare<[string], { arrival: number | null }>(
    'SELECT max(arrival) AS arrival FROM callback WHERE site = ?',
  )
  const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')

  const of = (site: string): FailedSaves => {
    const { count, newest } = failed.get(site) ?? { count: 0, newest: null }
    return { count, newest: newest === null ? null : (one.get(newest) ?? null) }
  }

  return {
    of,
    /** Whether one of them could not be stored, of whatever site: that is a matter of this machine. */
    isStorageAtFault: (): boolean => ofStorage.get() !== undefined,
    /** Somebody has looked at the callbacks of a site. False: there was nothing new. */
    look(site: string): boolean {
      if (of(site).count === 0) return false
      durably(db, () => put.run(seenName + site, String(last.get(site)?.arrival ?? 0)))
      return true
    },
  }
}

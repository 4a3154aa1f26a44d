import type { Database } from 'better-sqlite3'

import type { SiteId } from '../../../contract/ids.ts'
import type { FailedSaves } from '../../../contract/ipc/materials.ts'
import { durably } from './durably.ts'

/** Unsigned callbacks are ignored because anyone can send them, and blocked ones because they are intended. */
const isFailed = (callback: string): string =>
  `${callback}.signature = 'valid' AND ${callback}.outcome IN ('failed', 'rejected', 'interrupted')`

/** The setting with the last callback of a site that was seen on this computer. */
const seenName = 'failed-saves-seen:'
const seenOf = (site: SiteId): string =>
  `coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE name = '${seenName}' || ${site}), 0)`

/** SQL: whether the last save of material `m` failed and was not seen yet. A later successful save resolves it. */
export const lastSaveFailed = `coalesce((SELECT c.outcome <> 'stored' AND c.arrival > ${seenOf('m.site')}
  FROM callback c WHERE c.site = m.site AND c.material_id = m.material_id AND c.kind = 'article_saved'
    AND (c.outcome = 'stored' OR (${isFailed('c')}))
  ORDER BY c.arrival DESC LIMIT 1), 0)`

/** Failed saves that were not seen yet and have no later successful save of the same material. */
export function createFailedSaves(db: Database) {
  const open = `${isFailed('c')} AND c.arrival > ${seenOf('c.site')}
    AND NOT EXISTS (SELECT 1 FROM callback later WHERE later.site = c.site AND later.material_id = c.material_id
      AND later.arrival > c.arrival AND later.kind = c.kind AND later.outcome = 'stored')`
  const failed = db.prepare<[string], { count: number; newest: number | null }>(
    `SELECT count(*) AS count, max(c.arrival) AS newest FROM callback c INDEXED BY callback_failed
     WHERE c.site = ? AND ${open}`,
  )
  const one = db.prepare<[number], NonNullable<FailedSaves['newest']>>(
    `SELECT c.id, c.received_at AS receivedAt, c.material_id AS materialId,
       (SELECT title FROM material m WHERE m.site = c.site AND m.material_id = c.material_id) AS title
     FROM callback c WHERE c.arrival = ?`,
  )
  const ofStorage = db.prepare<[string], { yes: number }>(
    `SELECT 1 AS yes FROM callback c INDEXED BY callback_failed
     WHERE c.site = ? AND c.outcome = 'failed' AND c.code = 'storage_failed' AND ${open} LIMIT 1`,
  )
  const last = db.prepare<[string], { arrival: number | null }>(
    'SELECT max(arrival) AS arrival FROM callback WHERE site = ?',
  )
  const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')

  const of = (site: SiteId): FailedSaves => {
    const { count, newest } = failed.get(site) ?? { count: 0, newest: null }
    return { count, newest: newest === null ? null : (one.get(newest) ?? null) }
  }

  return {
    of,
    /** Whether one of them failed because of this computer's storage. */
    isStorageAtFault: (site: SiteId): boolean => ofStorage.get(site) !== undefined,
    /** Marks the callbacks of a site as seen. Returns false if there was nothing new. */
    markSeen(site: SiteId): boolean {
      if (of(site).count === 0) return false
      durably(db, () => put.run(seenName + site, String(last.get(site)?.arrival ?? 0)))
      return true
    },
  }
}

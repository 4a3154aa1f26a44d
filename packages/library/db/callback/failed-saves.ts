import type { CallbackId, MaterialId, SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { FailedSave, FailedSaves } from '../../views/materials.ts'
import { durably } from '../commit/durably.ts'

/** Unsigned callbacks are ignored because anyone can send them, and blocked ones because they are intended. */
const failed = `c.signature = 'valid' AND c.outcome IN ('failed', 'rejected', 'interrupted')`

/** Failed, not dismissed, and not followed by a stored save of the same material. */
const open = `${failed} AND c.dismissed_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM callback later WHERE later.site = c.site AND later.material_id = c.material_id
    AND later.arrival > c.arrival AND later.kind = c.kind AND later.outcome = 'stored')`

/** The setting with the last callback of a site that was seen on this computer. */
const seenName = 'failed-saves-seen:'

/** SQL: the last save of material `m` as JSON if it failed and nobody dismissed it; otherwise NULL. */
export const failedSaveSql = `(SELECT CASE WHEN c.outcome <> 'stored' AND c.dismissed_at IS NULL
    THEN json_object('callback', c.id, 'at', c.received_at, 'code', c.code, 'facts', json(c.facts)) END
  FROM callback c WHERE c.site = m.site AND c.material_id = m.material_id AND c.kind = 'article_saved'
    AND (c.outcome = 'stored' OR (${failed}))
  ORDER BY c.arrival DESC LIMIT 1)`

export const parseFailedSave = (text: string | null): FailedSave | null =>
  text === null ? null : (JSON.parse(text) as FailedSave)

/** SQL: the ids of the materials of `@site` whose last save failed. */
export const failedMaterials = `SELECT c.material_id FROM callback c INDEXED BY callback_failed
   WHERE c.site = @site AND c.kind = 'article_saved' AND ${open}`

/** Failed saves of this computer, until a later save of the same material is stored or a person dismisses them. */
export function createFailedSaves(db: Database) {
  const summary = db.prepare<{ site: string; seen: number }, Omit<FailedSaves, 'newest'> & { newest: number | null }>(
    `SELECT count(*) AS count, coalesce(sum(c.arrival > @seen), 0) AS unseen, max(c.arrival) AS newest
     FROM callback c INDEXED BY callback_failed WHERE c.site = @site AND ${open}`,
  )
  const one = db.prepare<[number], NonNullable<FailedSaves['newest']>>(
    `SELECT c.id, c.received_at AS receivedAt, c.material_id AS materialId,
       (SELECT title FROM material m WHERE m.site = c.site AND m.material_id = c.material_id) AS title
     FROM callback c WHERE c.arrival = ?`,
  )
  const isOpen = db.prepare<[string], { yes: number }>(`SELECT 1 AS yes FROM callback c WHERE c.id = ? AND ${open}`)
  const ofStorage = db.prepare<[string], { yes: number }>(
    `SELECT 1 AS yes FROM callback c INDEXED BY callback_failed
     WHERE c.site = ? AND c.outcome = 'failed' AND c.code = 'storage_failed' AND ${open} LIMIT 1`,
  )
  const ofMaterials = db.prepare<{ site: string }, { material_id: MaterialId; failed: string | null }>(
    `SELECT m.material_id, ${failedSaveSql} AS failed FROM material m
     WHERE m.site = @site AND m.material_id IN (${failedMaterials})`,
  )
  const seen = db.prepare<[string], { value: number }>(
    'SELECT CAST(value AS INTEGER) AS value FROM setting WHERE name = ?',
  )
  const last = db.prepare<[string], { arrival: number | null }>(
    'SELECT max(arrival) AS arrival FROM callback WHERE site = ?',
  )
  const put = db.prepare<[string, string]>('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')
  const dismissUpTo = db.prepare<{ id: string; at: string }>(
    `UPDATE callback AS c SET dismissed_at = @at FROM callback chosen
     WHERE chosen.id = @id AND c.site = chosen.site AND c.material_id IS chosen.material_id AND c.kind = chosen.kind
       AND c.arrival <= chosen.arrival AND c.dismissed_at IS NULL AND ${failed}`,
  )
  const restore = db.prepare<[string]>(
    `UPDATE callback AS c SET dismissed_at = NULL FROM callback chosen
     WHERE chosen.id = ? AND c.site = chosen.site AND c.material_id IS chosen.material_id AND c.kind = chosen.kind
       AND c.dismissed_at = chosen.dismissed_at`,
  )
  const summaryOf = (site: SiteId) =>
    summary.get({ site, seen: seen.get(seenName + site)?.value ?? 0 }) ?? { count: 0, unseen: 0, newest: null }

  return {
    of(site: SiteId): FailedSaves {
      const { count, unseen, newest } = summaryOf(site)
      return { count, unseen, newest: newest === null ? null : (one.get(newest) ?? null) }
    },
    /** The materials of a site whose last save failed. */
    ofMaterials: (site: SiteId): ReadonlyMap<MaterialId, FailedSave> =>
      new Map(
        ofMaterials.all({ site }).flatMap(({ material_id: id, failed: text }) => {
          const save = parseFailedSave(text)
          return save === null ? [] : [[id, save]]
        }),
      ),
    /** Whether a callback is a failed save that still counts. */
    isOpen: (id: CallbackId): boolean => isOpen.get(id) !== undefined,
    /** Whether one of them failed because of this computer's storage. */
    isStorageAtFault: (site: SiteId): boolean => ofStorage.get(site) !== undefined,
    /** Marks the callbacks of a site as seen, which calms the badge alone. Returns false if there was nothing new. */
    markSeen(site: SiteId): boolean {
      if (summaryOf(site).unseen === 0) return false
      durably(db, () => put.run(seenName + site, String(last.get(site)?.arrival ?? 0)))
      return true
    },
    /** Sets a failed save aside, with earlier ones of the same material; `at` null takes that back. */
    dismiss: (id: CallbackId, at: string | null): void =>
      void durably(db, () => (at === null ? restore.run(id) : dismissUpTo.run({ id, at }))),
  }
}

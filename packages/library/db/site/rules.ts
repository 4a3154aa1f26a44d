import type { MaterialId, SiteId } from '@galley/wire'

import type { SavePause, SiteRules } from '../../views/rules.ts'
import type { Commit } from '../commit/commit.ts'
import { fieldValues } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { FieldChanges } from '../field/fields.ts'

/** Rules stored separately from the site. Whether it accepts unknown materials is a site setting. */
export type StoredRules = Omit<SiteRules, 'unknownMaterials' | 'materials'>

/** The rules that refuse saves, by site and by material. */
export function createRules(db: ReadHandle, commit: Commit, changesOf: FieldChanges) {
  const one = db.prepare<[string], object>(
    `SELECT editors, expired_token, pause, same_person_may_approve, approve_unchanged, edit_link FROM site_setting WHERE site = ?`,
  )
  const refused = db.prepare<[string], { materialId: MaterialId; reason: string; since: string }>(
    `SELECT material_id AS materialId, refused ->> 'reason' AS reason, refused ->> 'since' AS since FROM material
     WHERE site = ? AND refused IS NOT NULL ORDER BY refused ->> 'since'`,
  )
  const refusal = db.prepare<[string, string], { reason: string }>(
    `SELECT refused ->> 'reason' AS reason FROM material
     WHERE site = ? AND material_id = ? AND refused IS NOT NULL`,
  )

  function of(site: SiteId): StoredRules {
    const values = fieldValues('site', one.get(site) ?? {})
    const { pause, editors, expiredToken, samePersonMayApprove, approveUnchanged, editLink } = values
    return { pause, editors, expiredToken, samePersonMayApprove, approveUnchanged, editLink }
  }

  return {
    of,
    /** The pause of all sites, or null. */
    pauseEverywhere: (): SavePause | null => of('').pause,
    /** `site` null: all sites. `wanted` null ends the pause. */
    pause: (site: SiteId | null, wanted: SavePause | null): void =>
      commit.now(() => changesOf('site', site ?? '', [{}], { pause: wanted })),
    refusedMaterials: (site: SiteId): SiteRules['materials'] => refused.all(site),
    /** Why saves of this material are paused, or null. */
    refusalOf: (site: SiteId, materialId: MaterialId): string | null => refusal.get(site, materialId)?.reason ?? null,
  }
}

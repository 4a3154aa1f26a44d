import type { MaterialId, SiteId } from '@galley/wire'

import type { EditableRules, SavePause, SiteRules } from '../views/rules.ts'
import type { Commit } from './commit.ts'
import { blockedEditors } from './database/blocked-editors.ts'
import type { ReadHandle } from './database/read-handle.ts'

interface Row {
  editors: string
  token_action: SiteRules['expiredToken']['action']
  token_key: string
}

/** Rules stored separately from the site. Whether it accepts unknown materials is a site setting. */
export type StoredRules = Pick<SiteRules, 'pause' | 'editors' | 'expiredToken'>

const noRules: StoredRules = {
  pause: null,
  editors: [],
  expiredToken: { action: 'accept', key: 'timeLimitedAuthToken' },
}

/** The rules that refuse saves, by site and by material. */
export function createRules(db: ReadHandle, commit: Commit) {
  const one = db.prepare<[string], Row>('SELECT editors, token_action, token_key FROM site_rule WHERE site = ?')
  const pause = db.prepare<[string], SavePause>('SELECT reason, since FROM save_pause WHERE site = ?')
  const refused = db.prepare<[string], { materialId: MaterialId; reason: string; since: string }>(
    `SELECT material_id AS materialId, refused ->> 'reason' AS reason, refused ->> 'since' AS since FROM material
     WHERE site = ? AND refused IS NOT NULL ORDER BY refused ->> 'since'`,
  )
  const refusal = db.prepare<[string, string], { reason: string }>(
    `SELECT refused ->> 'reason' AS reason FROM material
     WHERE site = ? AND material_id = ? AND refused IS NOT NULL`,
  )

  return {
    of(site: SiteId): StoredRules {
      const row = one.get(site)
      const rules = row && {
        editors: blockedEditors(row.editors),
        expiredToken: { action: row.token_action, key: row.token_key },
      }
      return { ...noRules, ...rules, pause: pause.get(site) ?? null }
    },
    put: (site: SiteId, { editors, expiredToken }: Omit<EditableRules, 'unknownMaterials'>): void =>
      commit.now(() => [{ kind: 'rules_saved', site, editors, expiredToken }]),
    /** The pause of all sites, or null. */
    pauseEverywhere: (): SavePause | null => pause.get('') ?? null,
    /** `site` null: all sites. `wanted` null ends the pause. */
    pause: (site: SiteId | null, wanted: SavePause | null): void =>
      commit.now(() => [{ kind: 'saves_paused', site, pause: wanted }]),
    refusedMaterials: (site: SiteId): SiteRules['materials'] => refused.all(site),
    /** Why saves of this material are paused, or null. */
    refusalOf: (site: SiteId, materialId: MaterialId): string | null => refusal.get(site, materialId)?.reason ?? null,
  }
}

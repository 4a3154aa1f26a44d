import type { Database } from 'better-sqlite3'

import type { MaterialId, SiteId } from '../../contract/ids.ts'
import type { EditableRules, SavePause, SiteRules } from '../../contract/ipc/rules.ts'
import type { Materials } from './materials.ts'

interface Row {
  pause_reason: string | null
  paused_since: string | null
  editors: string
  token_action: SiteRules['expiredToken']['action']
  token_key: string
}

/** What is kept beside a site; whether it takes unknown materials is a setting of the site itself. */
export type StoredRules = Pick<SiteRules, 'pause' | 'editors' | 'expiredToken'>

const noRules: StoredRules = {
  pause: null,
  editors: [],
  expiredToken: { action: 'accept', key: 'timeLimitedAuthToken' },
}

/** The rules that refuse saves, by site and by material. */
export function createRules(db: Database, materials: Materials) {
  const one = db.prepare<[string], Row>('SELECT * FROM site_rule WHERE site = ?')
  const put = db.prepare<[string, string, string, string]>(
    `INSERT INTO site_rule (site, editors, token_action, token_key) VALUES (?, ?, ?, ?)
     ON CONFLICT (site) DO UPDATE SET editors = excluded.editors, token_action = excluded.token_action,
       token_key = excluded.token_key`,
  )
  const pause = db.prepare<[string, string | null, string | null]>(
    `INSERT INTO site_rule (site, pause_reason, paused_since) VALUES (?, ?, ?)
     ON CONFLICT (site) DO UPDATE SET pause_reason = excluded.pause_reason, paused_since = excluded.paused_since`,
  )
  const refused = db.prepare<[string], { materialId: string; reason: string; since: string }>(
    `SELECT material_id AS materialId, refused_reason AS reason, refused_since AS since FROM material
     WHERE site = ? AND refused_since IS NOT NULL ORDER BY refused_since`,
  )
  const refusal = db.prepare<[string, string], { reason: string }>(
    `SELECT refused_reason AS reason FROM material
     WHERE site = ? AND material_id = ? AND refused_since IS NOT NULL`,
  )
  const refuse = db.prepare<[string | null, string | null, number]>(
    'UPDATE material SET refused_reason = ?, refused_since = ? WHERE id = ?',
  )

  return {
    of(site: string): StoredRules {
      const row = one.get(site)
      return row
        ? {
            pause: row.paused_since === null ? null : { reason: row.pause_reason ?? '', since: row.paused_since },
            editors: JSON.parse(row.editors) as SiteRules['editors'],
            expiredToken: { action: row.token_action, key: row.token_key },
          }
        : noRules
    },
    put: (site: string, { editors, expiredToken }: Omit<EditableRules, 'unknownMaterials'>): void =>
      void put.run(site, JSON.stringify(editors), expiredToken.action, expiredToken.key),
    /** null takes the pause back. */
    pause: (site: string, wanted: SavePause | null): void =>
      void pause.run(site, wanted?.reason ?? null, wanted?.since ?? null),
    refusedMaterials: (site: string): SiteRules['materials'] => refused.all(site),
    /** Why saves of this material are refused, or null when they are not. */
    refusalOf: (site: string, materialId: string): string | null => refusal.get(site, materialId)?.reason ?? null,
    /** `reason` null takes it back. Materials that were never opened get their row: a rule may come first. */
    refuse: (site: string, materialIds: readonly string[], reason: string | null, at: string): void =>
      db
        .transaction(() => {
          for (const materialId of materialIds) {
            const known = materials.idOf(site, materialId)
            if (known === null && reason === null) continue
            const id = known ?? materials.ensure(site as SiteId, materialId as MaterialId)
            refuse.run(reason, reason === null ? null : at, id)
          }
        })
        .immediate(),
  }
}

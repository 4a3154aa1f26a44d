import type { SiteId } from '@galley/wire'

import type { Target, TargetSettings } from '../../records/target.ts'
import type { Commit } from '../commit/commit.ts'
import type { ReadHandle } from '../database/read-handle.ts'

interface Row {
  readonly site: SiteId
  readonly name: string
  readonly settings: string
}

/** Where the bundles of sites are published. */
export function createTargets(db: ReadHandle, commit: Commit) {
  const ofSite = db.prepare<[string], Row>('SELECT * FROM target WHERE site = ? ORDER BY name')
  const all = db.prepare<[], Row>(
    `SELECT t.* FROM target t JOIN site s ON s.id = t.site WHERE s.removed_at IS NULL ORDER BY t.site, t.name`,
  )
  const one = db.prepare<[string, string], Row>('SELECT * FROM target WHERE site = ? AND name = ?')

  return {
    list: (site: SiteId): readonly Target[] => ofSite.all(site).map(toTarget),
    /** The targets of all sites that were not removed. */
    all: (): readonly Target[] => all.all().map(toTarget),
    find(site: SiteId, name: string): Target | null {
      const row = one.get(site, name)
      return row ? toTarget(row) : null
    },
    put: ({ site, name, ...settings }: Target): void =>
      commit.now(() => [{ kind: 'target_saved', site, name, settings }]),
    remove: (site: SiteId, name: string): void => commit.now(() => [{ kind: 'target_removed', site, name }]),
  }
}

const toTarget = ({ site, name, settings }: Row): Target => ({
  site,
  name,
  ...(JSON.parse(settings) as TargetSettings),
})

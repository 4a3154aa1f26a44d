import type { SiteId } from '@galley/wire'

import type { IndexWith } from '../db/library-index.ts'
import type { PausedSaves, SavePause, SavePauses } from '../views/rules.ts'

/** Pauses and resumes saves of a site, or of all sites with null. Calls `changed` after both. */
export function createSavePauses(index: IndexWith<'commit' | 'rules'>, now: () => Date, changed: () => void) {
  const write = async (site: SiteId | null, pause: SavePause | null): Promise<void> => {
    await index.commit.write(() => index.rules.pause(site, pause))
    changed()
  }
  return {
    read(): SavePauses {
      const everywhere = index.rules.pauseEverywhere()
      const sites = index.sites.list()
      const ofSites = sites.flatMap(({ id, name }): PausedSaves[] => {
        const { pause } = index.rules.of(id)
        return pause === null ? [] : [{ ...pause, site: { id, name } }]
      })
      if (everywhere !== null) return { reach: 'all', pauses: [{ ...everywhere, site: null }, ...ofSites] }
      if (ofSites.length === 0) return { reach: 'none', pauses: [] }
      return { reach: ofSites.length === sites.length ? 'all' : 'some', pauses: ofSites }
    },
    async pause(site: SiteId | null, reason: string): Promise<SavePause> {
      const pause = { reason: reason.trim(), since: now().toISOString() }
      await write(site, pause)
      return pause
    },
    resume: (site: SiteId | null): Promise<void> => write(site, null),
  }
}

export type SavePauseSwitch = ReturnType<typeof createSavePauses>

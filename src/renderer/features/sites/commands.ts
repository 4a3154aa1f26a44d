import type { SiteSummary } from '@galley/library/records'
import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import type { Services } from '../../domain/services.ts'
import { currentSite } from '../../navigation/navigation.ts'
import { siteIn } from './store.ts'
import type { SitesState } from './store.ts'

/** Commands for sites that work on every screen. */
export function siteCommands({ navigation }: Services, sites: StoreApi<SitesState>): readonly Command[] {
  const { show } = sites.getState()
  const site = (): string | null => currentSite(navigation.getState())
  const withSite = (run: (site: SiteSummary) => void) => ({
    isAvailable: () => site() !== null,
    run: () => {
      const shown = siteIn(sites.getState(), site())
      if (shown !== null) run(shown)
    },
  })
  return [
    { id: 'site.add', group: 'sites', title: (t) => t('sites:commands.add'), run: () => show({ kind: 'add' }) },
    {
      id: 'site.edit',
      group: 'sites',
      title: (t) => t('sites:commands.edit'),
      ...withSite((shown) => show({ kind: 'edit', site: shown })),
    },
    {
      id: 'site.try',
      group: 'sites',
      title: (t) => t('sites:firstSave.open'),
      ...withSite((shown) => show({ kind: 'try', site: shown })),
    },
    {
      id: 'site.remove',
      group: 'sites',
      title: (t) => t('sites:commands.remove'),
      ...withSite((shown) => show({ kind: 'remove', site: shown })),
    },
  ]
}

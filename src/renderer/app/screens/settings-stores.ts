import type { StoreApi } from 'zustand'

import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { createRules, provideRules } from '../../features/rules/store.ts'
import { createErase, provideErase } from '../../features/settings/erase.ts'
import { createLibraryFolder, provideLibraryFolder } from '../../features/settings/library-folder.ts'
import { createPrune, providePrune } from '../../features/settings/prune.ts'
import { createSiteList, provideSiteList } from '../../features/settings/sites-store.ts'
import { createSettings, provideSettings } from '../../features/settings/store.ts'
import { onSiteChange } from '../../features/sites/store.ts'
import type { SitesState } from '../../features/sites/store.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createDrafts, provideDrafts } from '../../stores/drafts.ts'

/** All settings, and what is typed in the forms of every screen. */
export function createSettingsStores(services: Services, sites: StoreApi<SitesState>): readonly Provide[] {
  const { navigation } = services
  const bridge = whileShown(services.bridge, navigation, ['settings'])
  const rules = createRules(bridge)
  const siteList = createSiteList(bridge)
  onSiteChange(sites, siteList.getState().forgetTest)
  followOn(navigation, ['settings'], (site) => rules.getState().show(site))
  return [
    provideSettings(createSettings(bridge)),
    provideRules(rules),
    provideDrafts(createDrafts()),
    provideSiteList(siteList),
    providePrune(createPrune(bridge)),
    provideErase(createErase(bridge)),
    provideLibraryFolder(createLibraryFolder(bridge)),
  ]
}

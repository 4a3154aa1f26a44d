import type { StoreApi } from 'zustand'

import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { provideRefusalDrafts } from '../../features/rules/materials.tsx'
import { providePauseReasons } from '../../features/rules/pauses.tsx'
import { provideRulesDrafts } from '../../features/rules/rules-form.tsx'
import { createRules, provideRules } from '../../features/rules/store.ts'
import { createErase, provideErase } from '../../features/settings/erase.ts'
import { createLibraryFolder, provideLibraryFolder } from '../../features/settings/library-folder.ts'
import { provideListenerDrafts } from '../../features/settings/listener-section.tsx'
import { createPrune, providePrune } from '../../features/settings/prune.ts'
import { provideRetentionDrafts } from '../../features/settings/retention-form.tsx'
import { createSiteList, provideSiteList } from '../../features/settings/sites-store.ts'
import { createSettings, provideSettings } from '../../features/settings/store.ts'
import { onSiteChange } from '../../features/sites/store.ts'
import type { SitesState } from '../../features/sites/store.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createDrafts } from '../../stores/drafts.ts'

/** All settings, and unsaved form input. */
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
    provideRulesDrafts(createDrafts()),
    providePauseReasons(createDrafts()),
    provideRefusalDrafts(createDrafts()),
    provideListenerDrafts(createDrafts()),
    provideRetentionDrafts(createDrafts()),
    provideSiteList(siteList),
    providePrune(createPrune(bridge)),
    provideErase(createErase(bridge)),
    provideLibraryFolder(createLibraryFolder(bridge)),
  ]
}

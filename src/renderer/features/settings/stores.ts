import type { SiteId } from '@galley/wire'

import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { announceOffer, createUpdates, provideUpdates } from '../../domain/updates.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { settingsCommands } from './commands.ts'
import { createErase, createPrune, provideErase, providePrune } from './deletion.ts'
import { createLibraryFolder, provideLibraryFolder } from './library-folder.ts'
import { createSiteList, provideSiteList } from './sites-store.ts'
import { createSettings, provideSettings } from './store.ts'

/** The stores of the settings screen, and its commands. `forgetTest`: a site changed. */
export function createSettingsStores(services: Services): {
  readonly provided: readonly Provide[]
  readonly forgetTest: (site: SiteId) => void
  readonly loadUpdates: () => Promise<void>
} {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['settings'])
  const siteList = createSiteList(bridge)
  const updates = createUpdates(services.bridge, (offer) => announceOffer(services, offer))
  commands.getState().register(settingsCommands(services, () => void updates.getState().check()))
  return {
    provided: [
      provideSettings(createSettings(bridge)),
      provideUpdates(updates),
      provideSiteList(siteList),
      providePrune(createPrune(bridge)),
      provideErase(createErase(bridge)),
      provideLibraryFolder(createLibraryFolder(bridge)),
    ],
    forgetTest: siteList.getState().forgetTest,
    loadUpdates: updates.getState().load,
  }
}

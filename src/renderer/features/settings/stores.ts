import type { SiteId } from '@galley/wire'

import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { settingsCommands } from './commands.ts'
import { createErase, provideErase } from './erase.ts'
import { createLibraryFolder, provideLibraryFolder } from './library-folder.ts'
import { createPrune, providePrune } from './prune.ts'
import { createSiteList, provideSiteList } from './sites-store.ts'
import { createSettings, provideSettings } from './store.ts'

/** The stores of the settings screen, and its commands. `forgetTest`: a site changed. */
export function createSettingsStores(services: Services): {
  readonly provided: readonly Provide[]
  readonly forgetTest: (site: SiteId) => void
} {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['settings'])
  const siteList = createSiteList(bridge)
  commands.getState().register(settingsCommands(services))
  return {
    provided: [
      provideSettings(createSettings(bridge)),
      provideSiteList(siteList),
      providePrune(createPrune(bridge)),
      provideErase(createErase(bridge)),
      provideLibraryFolder(createLibraryFolder(bridge)),
    ],
    forgetTest: siteList.getState().forgetTest,
  }
}

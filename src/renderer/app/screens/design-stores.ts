import type { Provide } from '../../context/provided.ts'
import { createDesign, provideDesign, provideDesignDrafts } from '../../features/design/store.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createDrafts } from '../../stores/drafts.ts'
import type { Services } from '../state/services.ts'

/** The design of a site, and unsaved input. */
export function createDesignStores(services: Services): {
  readonly provided: readonly Provide[]
  readonly load: () => Promise<void>
} {
  const { navigation } = services
  const design = createDesign(whileShown(services.bridge, navigation, ['publish']))
  followOn(navigation, ['publish'], (site, { tab }) => {
    if (tab === 'design') design.getState().show(site)
  })
  return {
    provided: [provideDesign(design), provideDesignDrafts(createDrafts())],
    load: async () => {
      await Promise.all([design.getState().load(), design.getState().loadThemes()])
    },
  }
}

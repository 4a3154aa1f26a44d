import type { StoreApi } from 'zustand'

import type { Provide } from '../../context/provided.ts'
import { succeeded } from '../../domain/call-toasts.ts'
import type { Services } from '../../domain/services.ts'
import { followOn, currentSite, currentView } from '../../navigation/navigation.ts'
import { hasPreviewBeside } from '../../navigation/view.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createPreviews, providePreviews } from './store.ts'
import type { PreviewsState } from './store.ts'

/** The preview of a site, and the commands that open it. */
export function createPreviewStores(services: Services): readonly Provide[] {
  const { navigation, commands } = services
  const previews = createPreviews(whileShown(services.bridge, navigation, ['publish']))
  followOn(navigation, ['publish'], (site) => void previews.getState().showSite(site))
  const isAvailable = (): boolean => currentSite(navigation.getState()) !== null
  commands.getState().register([
    {
      id: 'publish.preview',
      group: 'publish',
      title: (t) => t('publish:commands.preview'),
      isAvailable,
      run: () => void openPreview(services, previews),
    },
    {
      id: 'publish.previewBeside',
      group: 'publish',
      title: (t) => t('publish:commands.previewBeside'),
      isAvailable,
      run: () => void toggleBeside(services, previews),
    },
  ])
  return [providePreviews(previews)]
}

/** Starts the preview of the site, and says when that failed. */
async function openPreview(services: Services, previews: StoreApi<PreviewsState>): Promise<void> {
  const { navigation, texts } = services
  await previews.getState().showSite(currentSite(navigation.getState()))
  succeeded(services, texts.t('publish:previewing.notStarted'), await previews.getState().start())
}

/** Shows the preview beside the form, and opens a form if none is shown; hides the preview if it is shown. */
async function toggleBeside(services: Services, previews: StoreApi<PreviewsState>): Promise<void> {
  const { navigation, texts } = services
  const view = currentView(navigation.getState())
  const isForm = view.screen === 'publish' && hasPreviewBeside(view.tab)
  if (!isForm) navigation.getState().goToTab('design')
  await previews.getState().showSite(currentSite(navigation.getState()))
  const { isBeside, setBeside } = previews.getState()
  succeeded(services, texts.t('publish:previewing.notStarted'), await setBeside(!isForm || !isBeside))
}

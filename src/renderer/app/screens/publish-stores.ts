import type { CommandId } from '@galley/library/records'
import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import type { Provide } from '../../context/provided.ts'
import { succeeded } from '../../domain/call-toasts.ts'
import type { Services } from '../../domain/services.ts'
import {
  createExportContents,
  createExports,
  provideExportContents,
  provideExportRows,
} from '../../features/exports/store.ts'
import { createPreviews, providePreviews } from '../../features/preview/store.ts'
import type { PreviewsState } from '../../features/preview/store.ts'
import { createRun, provideRun } from '../../features/publish/run.ts'
import type { RunState } from '../../features/publish/run.ts'
import { createHistory, createTargets, provideHistory, provideTargets } from '../../features/publish/store.ts'
import type { TargetsState } from '../../features/publish/store.ts'
import { followOn, currentSite, currentView } from '../../navigation/navigation.ts'
import { hasPreviewBeside, publishTabs } from '../../navigation/view.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { ExportStart } from './export-start.ts'

/**
 * The stores of the tabs of the publish section, and the commands that show a tab, publish, preview or start an
 * export.
 */
export function createPublishStores(services: Services, { withWhatIsShown }: ExportStart): readonly Provide[] {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['publish'])
  const { exports, exportRows } = createExports(bridge)
  const targets = createTargets(bridge)
  const previews = createPreviews(bridge)
  const run = createRun(services.bridge)
  followOn(navigation, ['publish'], (site) => {
    exports.getState().show(site)
    targets.getState().show(site)
    void previews.getState().showSite(site)
  })
  const hasSite = (): boolean => currentSite(navigation.getState()) !== null
  commands.getState().register([
    ...publishTabs.map((tab): Command => ({
      id: `publish.${tab}` satisfies CommandId,
      group: 'publish',
      title: (t) => t('publish:command', { tab: t(`publish:tabs.${tab}`) }),
      run: () => navigation.getState().goToTab(tab),
    })),
    {
      id: 'publish.site',
      group: 'publish',
      title: (t) => t('publish:commands.publish'),
      isAvailable: hasSite,
      run: () => void publishSite(services, targets, run),
    },
    {
      id: 'publish.preview',
      group: 'publish',
      title: (t) => t('publish:commands.preview'),
      isAvailable: hasSite,
      run: () => void openPreview(services, previews),
    },
    {
      id: 'publish.previewBeside',
      group: 'publish',
      title: (t) => t('publish:commands.previewBeside'),
      isAvailable: hasSite,
      run: () => void toggleBeside(services, previews),
    },
    {
      id: 'publish.newTarget',
      group: 'publish',
      title: (t) => t('publish:commands.newTarget'),
      isAvailable: hasSite,
      run() {
        navigation.getState().goToTab('targets')
        targets.getState().open({ kind: 'add' })
      },
    },
    {
      id: 'export.new',
      group: 'publish',
      title: (t) => t('exports:create'),
      isAvailable: hasSite,
      run: withWhatIsShown,
    },
  ])
  return [
    provideExportRows(exportRows),
    provideExportContents(createExportContents(bridge)),
    provideTargets(targets),
    providePreviews(previews),
    provideHistory(createHistory(bridge)),
    provideRun(run),
  ]
}

/** Plans a publication to the chosen target, or the only one; otherwise shows the targets to choose from. */
async function publishSite(
  { navigation }: Services,
  targets: StoreApi<TargetsState>,
  run: StoreApi<RunState>,
): Promise<void> {
  navigation.getState().goToTab('targets')
  await targets.getState().load()
  const { site, view } = targets.getState()
  if (site === null || view.kind !== 'ready') return
  const now = currentView(navigation.getState())
  const chosen = now.screen === 'publish' ? now.itemId : null
  const target = view.items.find(({ name }) => name === chosen) ?? (view.items.length === 1 ? view.items[0] : undefined)
  if (view.items.length === 0) targets.getState().open({ kind: 'add' })
  if (target?.isConfirmed === true) run.getState().open({ site, target: target.name, release: null })
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

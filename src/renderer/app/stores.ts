import type { i18n } from 'i18next'

import type { Bridge } from '../../contract/ipc/calls.ts'
import { createCommands } from '../commands/commands.ts'
import { createArrivals } from '../features/arrivals/store.ts'
import { createBatch } from '../features/callbacks/batch-store.ts'
import { createFirstRun } from '../features/first-run/store.ts'
import { createPauses } from '../features/listener/pauses-store.ts'
import { createListener } from '../features/listener/store.ts'
import { createSites } from '../features/sites/store.ts'
import { announceEnd } from '../features/tasks/announce-end.ts'
import { createTasks } from '../features/tasks/store.ts'
import { createNavigation, viewNow } from '../navigation/navigation.ts'
import type { Services } from '../domain/services.ts'
import { createAnnouncements } from '../ui/announcer.tsx'
import { createToasts } from '../ui/toasts.tsx'
import { createAppearance } from './state/appearance.ts'
import { createCounts } from './state/counts.ts'
import { createLayers } from './state/layers.ts'
import { createLibraryMark } from './state/library-mark.ts'
import { createLayout } from './state/layout.ts'
import type { Screens } from './screens/screen.ts'
import { libraryCommands } from './library-commands.ts'
import { reviewKeys } from './review-keys.ts'
import { createCallbacksScreen } from './screens/callbacks.tsx'
import { createExportsScreen } from './screens/exports.tsx'
import { createFontsScreen } from './screens/fonts.tsx'
import { createHealthScreen } from './screens/health.tsx'
import { createMaterialScreen } from './screens/material.tsx'
import { createMaterialParts } from './screens/material-stores.ts'
import { createMaterialsScreen } from './screens/materials.tsx'
import { createSettingsScreen } from './screens/settings.tsx'
import { windowCommands } from './window-commands.ts'

/** Builds everything of the window on one bridge: shared services, screens, and what the window itself can do. */
export function createStores(bridge: Bridge, texts: i18n) {
  const services: Services = {
    bridge,
    useNavigation: createNavigation(),
    useCommands: createCommands(),
    useAnnouncements: createAnnouncements(),
    toasts: createToasts(),
  }
  const useSites = createSites(services)
  const useListener = createListener(bridge)
  const usePauses = createPauses(bridge)
  const useTasks = createTasks(bridge, (task) => {
    if (useLayers.getState().shown === 'tasks') return
    const { screen } = viewNow(services.useNavigation.getState())
    announceEnd(task, screen, texts, services, () => useLayers.getState().open('tasks'))
  })
  const materialParts = createMaterialParts(services)
  const useFirstRun = createFirstRun(bridge)
  const useCounts = createCounts(bridge, services.useNavigation)
  const useLibraryMark = createLibraryMark(bridge)
  const useArrivals = createArrivals(bridge)
  const useBatch = createBatch(bridge)
  const useLayers = createLayers()
  const useLayout = createLayout()
  const useAppearance = createAppearance(bridge, texts, services.useCommands)

  const screens: Screens = {
    materials: createMaterialsScreen(services, materialParts, useCounts),
    material: createMaterialScreen(services, materialParts),
    callbacks: createCallbacksScreen(services, useBatch),
    fonts: createFontsScreen(services),
    exports: createExportsScreen(services, materialParts),
    health: createHealthScreen(services, useSites),
    settings: createSettingsScreen(services, { useSites, useListener }),
  }

  const load = () =>
    Promise.all([useSites, useListener, usePauses, useTasks, useLibraryMark].map((store) => store.getState().load()))
  /** The screens read for themselves, as soon as they know their site. */
  const start = async (): Promise<void> => {
    await load()
    const { view } = useSites.getState()
    await useFirstRun.getState().begin(view.kind !== 'ready' || view.items.length > 0)
  }
  const lookAgain = (): void => {
    void load()
    screens[viewNow(services.useNavigation.getState()).screen].refresh?.()
  }
  const { register, run } = services.useCommands.getState()
  register(windowCommands({ ...services, texts, useLayers, useLayout, useAppearance, refresh: lookAgain }))
  register(reviewKeys)
  register(libraryCommands({ ...services, texts, useSites, useListener, usePauses }))
  bridge.on('command', ({ id }) => run(id))
  bridge.on('show', ({ site, callbackId }) =>
    services.useNavigation.getState().go({ screen: 'callbacks', callbackId }, site),
  )
  bridge.on('edit', ({ site, materialId }) => {
    services.useNavigation.getState().go({ screen: 'material', materialId, versionId: null }, site)
    run('material.openEditor')
  })
  return {
    ...services,
    services,
    useSites,
    useListener,
    usePauses,
    useTasks,
    useFirstRun,
    useCounts,
    useLibraryMark,
    useLayers,
    useLayout,
    useAppearance,
    screens,
    start,
    useArrivals,
    useBatch,
  }
}

export type Stores = ReturnType<typeof createStores>

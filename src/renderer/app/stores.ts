import type { SiteId } from '@galley/wire'
import type { i18n } from 'i18next'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../ipc/calls.ts'
import type { ShownItem } from '../../ipc/shell.ts'
import { provideBridge } from '../bridge/use-bridge.ts'
import { createCommands, provideCommands } from '../commands/commands.ts'
import type { Provide } from '../context/provided.ts'
import { createFirstSave, provideFirstSave } from '../domain/first-save-store.ts'
import { createPersonName, providePersonName } from '../domain/person-name.ts'
import { createSafety, provideSafety } from '../domain/safety-copy.tsx'
import type { Services } from '../domain/services.ts'
import { offeringUndo } from '../domain/undoing.ts'
import { createArrivals, provideArrivals } from '../features/arrivals/store.ts'
import { createBatch, provideBatch } from '../features/callbacks/batch-store.ts'
import type { BatchStore } from '../features/callbacks/batch-store.ts'
import { createCallbackStores } from '../features/callbacks/stores.ts'
import { createDesignStores } from '../features/design/store.ts'
import { createDeveloperStores } from '../features/developer/store.ts'
import { createExportStores } from '../features/exports/store.ts'
import { sampleCommand } from '../features/first-run/commands.ts'
import { createFirstRun, provideFirstRun } from '../features/first-run/store.ts'
import { createFontStores } from '../features/fonts/store.ts'
import { provideHealth } from '../features/health/store.ts'
import { createHealthStore } from '../features/health/stores.ts'
import { listenerCommands, saveCommands } from '../features/listener/commands.ts'
import { createPauses, providePauses } from '../features/listener/pauses-store.ts'
import { createListener, provideListener } from '../features/listener/store.ts'
import { materialCommands } from '../features/materials/commands.ts'
import { createPageStores } from '../features/pages/stores.ts'
import { createPreviewStores } from '../features/preview/stores.ts'
import { createPublishStores } from '../features/publish/stores.ts'
import type { ReviewServices } from '../features/review/desk-ports.ts'
import { createReviewStores } from '../features/review/stores.ts'
import { createRuleStores } from '../features/rules/store.ts'
import { createSettingsStores } from '../features/settings/stores.ts'
import { siteCommands } from '../features/sites/commands.ts'
import { createSites, onCallbackUrlChange, onSiteChange, provideSites } from '../features/sites/store.ts'
import type { SitesState } from '../features/sites/store.ts'
import { announceEnd } from '../features/tasks/announce-end.ts'
import { createTasks, provideTasks } from '../features/tasks/store.ts'
import { createTeam, provideTeam } from '../features/team/store.ts'
import { createWebhookStores } from '../features/webhook/store.ts'
import { createNavigation, currentView, follow, provideNavigation } from '../navigation/navigation.ts'
import type { ScreenName, View } from '../navigation/view.ts'
import { createDrafts, provideDrafts } from '../stores/drafts.ts'
import { createAnnouncements, provideAnnouncements } from '../ui/announcer.tsx'
import { addFailure, createToasts, provideToasts } from '../ui/toasts.tsx'
import { createMaterialActions, provideMaterialActions } from './screens/material-actions.ts'
import { createMaterialStores, provideMaterialStores } from './screens/material-stores.ts'
import type { MaterialStores } from './screens/material-stores.ts'
import { createAppearance, provideAppearance } from './state/appearance.ts'
import { createCounts, provideCounts } from './state/counts.ts'
import { createLayers, provideLayers } from './state/layers.ts'
import { createLayout, provideLayout } from './state/layout.ts'
import { createOpenProblems, provideOpenProblems } from './state/open-problems.ts'
import { windowCommands } from './window-commands.ts'

/** The window's stores, provided to components, and their initial load. */
interface Stores {
  readonly provided: readonly Provide[]
  readonly start: () => Promise<void>
}

function createServices(bridge: Bridge, texts: i18n): Services {
  const toasts = createToasts()
  return {
    bridge: offeringUndo(bridge, { texts, toasts }),
    texts,
    navigation: createNavigation(),
    commands: createCommands(),
    toasts,
  }
}

function viewOfItem(item: ShownItem): View {
  if ('callbackId' in item) return { screen: 'delivery', callbackId: item.callbackId }
  const { materialId, versionId } = item
  return materialId === null ? { screen: 'materials', materialId } : { screen: 'material', materialId, versionId }
}

/** Tells main which site is shown, whenever it is another one. */
function tellSites({ bridge, navigation }: Services): void {
  let told: SiteId | null = null
  follow(navigation, (site) => {
    if (site === null || site === told) return
    told = site
    void bridge.call('siteShown', { site }).catch(() => null)
  })
}

/** Follows requests from main: application menu, notifications and links. */
function followMain({ bridge, navigation, commands, toasts, texts }: Services): void {
  const { go } = navigation.getState()
  const { run } = commands.getState()
  bridge.on('command', ({ id }) => run(id))
  bridge.on('show', ({ item, missing }) => {
    if (item !== null) go(viewOfItem(item), item.site)
    if (missing === null) return
    const t = texts.getFixedT(texts.language, 'app')
    addFailure(toasts, { title: t(`link.${missing}.title`), description: t(`link.${missing}.text`) })
  })
  bridge.on('edit', ({ site, materialId }) => {
    go({ screen: 'material', materialId, versionId: null }, site)
    run('material.openEditor')
  })
}

interface Shared {
  readonly sites: StoreApi<SitesState>
  readonly materials: MaterialStores
  readonly batch: BatchStore
}

/** The stores of the sections; Materials shares its own. `refreshers` read what no push covers, by screen. */
function createSectionStores(
  services: Services & ReviewServices,
  { sites, materials, batch }: Shared,
): {
  readonly provided: readonly Provide[]
  readonly refreshers: { readonly [Name in ScreenName]?: () => Promise<void> }
  readonly loadUpdates: () => Promise<void>
} {
  const review = createReviewStores(services)
  const siteStores = [createDesignStores(services), createPageStores(services)]
  const health = createHealthStore(services)
  const settings = createSettingsStores(services)
  // A test of a site says nothing about its new settings.
  onSiteChange(sites, settings.forgetTest)
  onCallbackUrlChange(sites, (site) => {
    const { reach, forgetReach } = health.getState()
    if (reach.kind !== 'untested' && reach.site === site) forgetReach()
  })
  return {
    provided: [
      ...review.provided,
      ...siteStores.flatMap(({ provided }) => provided),
      ...createExportStores(services, materials.exportStart.withWhatIsShown),
      ...createPreviewStores(services),
      ...createPublishStores(services),
      ...createFontStores(services),
      ...createCallbackStores(services, batch),
      provideHealth(health),
      ...settings.provided,
      ...createRuleStores(services),
      ...createWebhookStores(services),
      ...createDeveloperStores(services),
      provideDrafts(createDrafts()),
    ],
    refreshers: {
      review: review.load,
      materials: materials.load,
      material: materials.load,
      publish: async () => void (await Promise.all(siteStores.map((stores) => stores.load()))),
      delivery: health.getState().recheck,
    },
    loadUpdates: settings.loadUpdates,
  }
}

/** Creates and connects every store of the window, and registers its commands. */
export function createStores(bridge: Bridge, texts: i18n): Stores {
  const name = createPersonName(bridge)
  const services = { ...createServices(name.signed, texts), named: name.named }
  const { navigation, commands, toasts } = services
  const sites = createSites(bridge, navigation)
  const listener = createListener(bridge)
  const pauses = createPauses(services.bridge)
  const layers = createLayers()
  const tasks = createTasks(bridge, (task) => {
    if (layers.getState().shown === 'tasks') return
    const { screen } = currentView(navigation.getState())
    announceEnd(task, screen, texts, toasts, () => layers.getState().open('tasks'))
  })
  const materials = createMaterialStores(services)
  const firstRun = createFirstRun(bridge)
  onSiteChange(sites, firstRun.getState().forgetSiteChecks)
  const needs = createOpenProblems(bridge)
  const team = createTeam(bridge)
  const batch = createBatch(bridge)
  const layout = createLayout()
  const appearance = createAppearance(bridge, texts, commands)
  commands.getState().register(materialCommands(services, materials))
  const sections = createSectionStores(services, { sites, materials, batch })

  const load = () => Promise.all([sites, listener, pauses, tasks, needs, team].map((store) => store.getState().load()))
  const refresh = (): void => {
    void load()
    void sections.refreshers[currentView(navigation.getState()).screen]?.()
  }
  const { register } = commands.getState()
  register(windowCommands(services, { layers, layout, appearance, refresh }))
  register([...siteCommands(services, sites), sampleCommand(services, firstRun)])
  register(saveCommands(services, pauses))
  register(listenerCommands(listener))
  followMain(services)
  tellSites(services)
  bridge.on('exportVersion', materials.exportStart.withVersion)
  return {
    provided: [
      provideBridge(services.bridge),
      providePersonName(name.store),
      provideNavigation(navigation),
      provideCommands(commands),
      provideToasts(toasts),
      provideAnnouncements(createAnnouncements()),
      provideSites(sites),
      provideListener(listener),
      providePauses(pauses),
      provideLayers(layers),
      provideTasks(tasks),
      provideFirstRun(firstRun),
      provideFirstSave(createFirstSave(bridge)),
      provideCounts(createCounts(bridge, navigation)),
      provideOpenProblems(needs),
      provideTeam(team),
      provideArrivals(createArrivals(bridge)),
      provideBatch(batch),
      provideLayout(layout),
      provideAppearance(appearance),
      provideSafety(createSafety(bridge)),
      provideMaterialActions(createMaterialActions(services, materials)),
      ...provideMaterialStores(materials),
      ...sections.provided,
    ],
    // Screens load their own data once the site is known.
    start: async () => {
      await load()
      void sections.loadUpdates()
      const { view } = sites.getState()
      await firstRun.getState().begin(view.kind !== 'ready' || view.items.length > 0)
    },
  }
}

import type { Answer, CommandId, SiteSummary } from '@galley/library/records'
import type { StoreApi } from 'zustand'

import type { Command } from '../commands/commands.ts'
import { succeeded } from '../domain/call-toasts.ts'
import type { Services } from '../domain/services.ts'
import { pauseOf } from '../features/listener/pauses-store.ts'
import type { PausesState } from '../features/listener/pauses-store.ts'
import type { ListenerView } from '../features/listener/store.ts'
import { settingsSections } from '../features/settings/settings-pane.tsx'
import { siteIn } from '../features/sites/store.ts'
import type { SitesState } from '../features/sites/store.ts'
import { currentSite } from '../navigation/navigation.ts'

interface Parts {
  readonly sites: StoreApi<SitesState>
  readonly listener: StoreApi<ListenerView>
  readonly pauses: StoreApi<PausesState>
}

/** Commands for sites, saves, the listener and settings that work on every screen. */
export const libraryCommands = (services: Services, { sites, listener, pauses }: Parts): readonly Command[] => [
  ...siteCommands(services, sites),
  ...saveCommands(services, pauses),
  ...listenerCommands(listener),
  ...settingsCommands(services),
]

function siteCommands({ navigation }: Services, sites: StoreApi<SitesState>): readonly Command[] {
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
      id: 'site.remove',
      group: 'sites',
      title: (t) => t('sites:commands.remove'),
      ...withSite((shown) => show({ kind: 'remove', site: shown })),
    },
  ]
}

function saveCommands(services: Services, pauses: StoreApi<PausesState>): readonly Command[] {
  const { navigation, texts } = services
  const site = (): string | null => currentSite(navigation.getState())
  const pause = () => pauseOf(pauses.getState(), site())
  const report = async (what: 'refuse' | 'takeSaves', done: Promise<Answer<unknown>>): Promise<void> =>
    void succeeded(services, texts.t(`health:notDone.${what}`), await done)
  const refuse = (whose: string | null): void =>
    void report('refuse', pauses.getState().refuse(whose, texts.t('system:tray.pauseReason')))
  return [
    {
      id: 'saves.refuse',
      group: 'sites',
      title: (t) => t('sites:commands.refuseSaves'),
      isAvailable: () => site() !== null && pause() === null,
      run: () => refuse(site()),
    },
    {
      id: 'saves.refuseAll',
      group: 'sites',
      title: (t) => t('sites:commands.refuseAllSaves'),
      isAvailable: () => pause()?.site !== null,
      run: () => refuse(null),
    },
    {
      id: 'saves.accept',
      group: 'sites',
      title: (t) => t('sites:commands.acceptSaves'),
      isAvailable: () => pause() !== null,
      run: () => void report('takeSaves', pauses.getState().takeSaves(pause()?.site?.id ?? null)),
    },
  ]
}

const listenerCommands = (listener: StoreApi<ListenerView>): readonly Command[] => [
  {
    id: 'listener.start',
    group: 'health',
    title: (t) => t('health:listener.start'),
    isAvailable: () => ['stopped', 'failed'].includes(listener.getState().state?.kind ?? ''),
    run: () => void listener.getState().start(),
  },
  {
    id: 'listener.stop',
    group: 'health',
    title: (t) => t('health:listener.stop'),
    isAvailable: () => listener.getState().state?.kind === 'listening',
    run: () => void listener.getState().stop(),
  },
]

/** One command per settings section, and aliases people search for. */
function settingsCommands({ navigation }: Services): readonly Command[] {
  const show = (section: string): void => navigation.getState().go({ screen: 'settings', section })
  return [
    ...settingsSections.map((section): Command => ({
      id: `settings.${section}` satisfies CommandId,
      group: 'settings',
      title: (t) => t('settings:command', { section: t(`settings:sections.${section}`) }),
      run: () => show(section),
    })),
    { id: 'library.prune', group: 'health', title: (t) => t('health:commands.prune'), run: () => show('storage') },
    { id: 'library.erase', group: 'health', title: (t) => t('health:commands.erase'), run: () => show('storage') },
    { id: 'library.move', group: 'health', title: (t) => t('health:commands.move'), run: () => show('storage') },
  ]
}

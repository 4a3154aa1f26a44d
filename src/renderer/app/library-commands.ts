import type { i18n } from 'i18next'

import type { CommandId } from '../../contract/domain/shortcuts.ts'
import type { Command } from '../commands/commands.ts'
import type { createListener } from '../features/listener/store.ts'
import type { createPauses } from '../features/listener/pauses-store.ts'
import { pauseOf } from '../features/listener/pauses-store.ts'
import { settingsSections } from '../features/settings/settings-pane.tsx'
import type { createSites } from '../features/sites/store.ts'
import { siteIn } from '../features/sites/store.ts'
import { siteNow } from '../navigation/navigation.ts'
import type { Services } from '../domain/services.ts'

interface Parts extends Pick<Services, 'useNavigation'> {
  readonly texts: i18n
  readonly useSites: ReturnType<typeof createSites>
  readonly useListener: ReturnType<typeof createListener>
  readonly usePauses: ReturnType<typeof createPauses>
}

/** What can be done from anywhere with sites, with saves and the listener, and with what the settings hold. */
export function libraryCommands(parts: Parts): readonly Command[] {
  const { texts, useNavigation, useSites, useListener, usePauses } = parts
  const site = (): string | null => siteNow(useNavigation.getState())
  const withSite = (run: (site: NonNullable<ReturnType<typeof siteIn>>) => void) => ({
    isAvailable: () => site() !== null,
    run: () => {
      const shown = siteIn(useSites.getState(), site())
      if (shown !== null) run(shown)
    },
  })
  const pause = () => pauseOf(usePauses.getState(), site())
  const reason = (): string => texts.t('system:tray.pauseReason')
  const showSettings = (section: string): void => useNavigation.getState().go({ screen: 'settings', section })
  const { show } = useSites.getState()
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
    {
      id: 'saves.refuse',
      group: 'sites',
      title: (t) => t('sites:commands.refuseSaves'),
      isAvailable: () => site() !== null && pause() === null,
      run: () => void usePauses.getState().refuse(site(), reason()),
    },
    {
      id: 'saves.refuseAll',
      group: 'sites',
      title: (t) => t('sites:commands.refuseAllSaves'),
      isAvailable: () => pause()?.site !== null,
      run: () => void usePauses.getState().refuse(null, reason()),
    },
    {
      id: 'saves.accept',
      group: 'sites',
      title: (t) => t('sites:commands.acceptSaves'),
      isAvailable: () => pause() !== null,
      run: () => void usePauses.getState().takeSaves(pause()?.site?.id ?? null),
    },
    {
      id: 'listener.start',
      group: 'health',
      title: (t) => t('health:listener.start'),
      isAvailable: () => ['stopped', 'failed'].includes(useListener.getState().state?.kind ?? ''),
      run: () => void useListener.getState().start(),
    },
    {
      id: 'listener.stop',
      group: 'health',
      title: (t) => t('health:listener.stop'),
      isAvailable: () => useListener.getState().state?.kind === 'listening',
      run: () => void useListener.getState().stop(),
    },
    ...settingsSections.map((section): Command => ({
      id: `settings.${section}` satisfies CommandId,
      group: 'settings',
      title: (t) => t('settings:command', { section: t(`settings:sections.${section}`) }),
      run: () => showSettings(section),
    })),
    {
      id: 'library.prune',
      group: 'health',
      title: (t) => t('health:commands.prune'),
      run: () => showSettings('storage'),
    },
    {
      id: 'library.erase',
      group: 'health',
      title: (t) => t('health:commands.erase'),
      run: () => showSettings('storage'),
    },
    {
      id: 'library.move',
      group: 'health',
      title: (t) => t('health:commands.move'),
      run: () => showSettings('storage'),
    },
  ]
}

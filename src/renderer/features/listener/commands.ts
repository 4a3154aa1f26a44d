import type { Answer } from '@galley/library/records'
import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import { succeeded } from '../../domain/call-toasts.ts'
import type { Services } from '../../domain/services.ts'
import { currentSite } from '../../navigation/navigation.ts'
import { pauseOf } from './pauses-store.ts'
import type { PausesState } from './pauses-store.ts'
import type { ListenerView } from './store.ts'

/** Commands that refuse saves and take them again, on every screen. */
export function saveCommands(services: Services, pauses: StoreApi<PausesState>): readonly Command[] {
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

/** Commands that start and stop the listener, on every screen. */
export const listenerCommands = (listener: StoreApi<ListenerView>): readonly Command[] => [
  {
    id: 'listener.start',
    group: 'delivery',
    title: (t) => t('health:listener.start'),
    isAvailable: () => ['stopped', 'failed'].includes(listener.getState().state?.kind ?? ''),
    run: () => void listener.getState().start(),
  },
  {
    id: 'listener.stop',
    group: 'delivery',
    title: (t) => t('health:listener.stop'),
    isAvailable: () => listener.getState().state?.kind === 'listening',
    run: () => void listener.getState().stop(),
  },
]

import type { AppSettings, CallProblem } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { SettingsChange } from '../../../ipc/settings.ts'
import { catchUnexpected, viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface SettingsState {
  readonly view: View<AppSettings>
  /** Why the last change was not saved. */
  readonly problem: CallProblem | null
  load(): Promise<void>
  /** Returns whether the change was saved. */
  change(change: SettingsChange): Promise<boolean>
  chooseBackupFolder(): Promise<void>
}

/** The app's settings, read and pushed by main. */
export function createSettings(bridge: Bridge): StoreApi<SettingsState> {
  const settings = createStore<SettingsState>()((set) => ({
    view: { kind: 'loading' },
    problem: null,
    load: async () => set({ view: await viewOf(bridge.call('readSettings', undefined)) }),
    change: async (change) => {
      const changed = await catchUnexpected(bridge.call('changeSettings', change))
      set(changed.ok ? { view: { kind: 'ready', items: changed.value }, problem: null } : { problem: changed.failure })
      return changed.ok
    },
    chooseBackupFolder: async () => {
      const chosen = await catchUnexpected(bridge.call('chooseBackupFolder', undefined))
      if (!chosen.ok) set({ problem: chosen.failure })
      else if (chosen.value !== null) set({ view: { kind: 'ready', items: chosen.value }, problem: null })
    },
  }))
  bridge.on('settings', (items) => settings.setState({ view: { kind: 'ready', items } }))
  return settings
}

export const [useSettings, provideSettings] = createStoreContext<SettingsState>('settings')

import { chosenShortcuts, defaultSettings } from '@galley/library/records'
import type { AppSettings } from '@galley/library/records'
import type { i18n } from 'i18next'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { languageFor } from '../../../texts/catalogue.ts'
import type { CommandStore } from '../../commands/commands.ts'
import { createStoreContext } from '../../context/provided.ts'

export type Appearance = Pick<AppSettings, 'theme' | 'language' | 'density' | 'isForDevelopers'>

export interface AppearanceState extends Appearance {
  change(change: Partial<Appearance>): void
}

/** Theme, language, density, shortcuts and what is for developers from the settings. Main applies the theme, this page the rest. */
export function createAppearance(bridge: Bridge, texts: i18n, commands: CommandStore): StoreApi<AppearanceState> {
  const { theme, language, density, isForDevelopers } = defaultSettings
  const appearance = createStore<AppearanceState>()((set) => ({
    theme,
    language,
    density,
    isForDevelopers,
    change: (change) => {
      set(change)
      // Main logs the failure; the choice still applies to this window.
      void bridge.call('changeSettings', change).catch(() => null)
    },
  }))
  const apply = ({ language, density }: Appearance): void => {
    const shownLanguage = language === 'system' ? languageFor(navigator.language) : language
    if (texts.language !== shownLanguage) void texts.changeLanguage(shownLanguage)
    document.documentElement.lang = shownLanguage
    document.documentElement.dataset['density'] = density
  }
  const take = ({ theme, language, density, isForDevelopers, shortcuts }: AppSettings): void => {
    appearance.setState({ theme, language, density, isForDevelopers })
    commands.getState().setKeys(chosenShortcuts(shortcuts))
  }
  appearance.subscribe(apply)
  apply(appearance.getState())
  bridge.on('settings', take)
  void bridge.call('readSettings', undefined).then(take, () => null)
  return appearance
}

export const [useAppearance, provideAppearance] = createStoreContext<AppearanceState>('appearance')

import type { AppSettings } from '@galley/library/records'
import { app } from 'electron'

import type { Language } from '../../texts/catalogue.ts'
import { createTexts, languageFor } from '../../texts/catalogue.ts'

/** The language of everything outside the page. */
export const languageOf = ({ language }: AppSettings): Language =>
  language === 'system' ? languageFor(app.getLocale()) : language

/** The texts of menu, tray and notifications in the current language. */
export function createShellWords(settings: AppSettings) {
  const texts = createTexts(languageOf(settings))
  return {
    t: () => texts.getFixedT(texts.language, ['system', 'app', 'tasks', 'help'] as const),
    system: () => texts.getFixedT(texts.language, 'system'),
    change: (next: AppSettings): Promise<unknown> => texts.changeLanguage(languageOf(next)),
  }
}

export type ShellWords = ReturnType<typeof createShellWords>

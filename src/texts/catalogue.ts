import { keysIn } from '@galley/wire'
import { createInstance } from 'i18next'
import type { i18n } from 'i18next'

import { en } from './en.ts'
import { ru } from './ru.ts'

/** The languages of the interface, with their own names. */
export const languages = { en: 'English', ru: 'Русский' } as const
export type Language = keyof typeof languages

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

/** The locale for dates, numbers and sizes in each language. */
export const localeOf: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU' }

/** The language for a computer with this `locale`, such as `ru-KZ`. Defaults to English. */
export function languageFor(locale: string): Language {
  const language = locale.split('-')[0]
  return isLanguage(language) ? language : 'en'
}

export const subjects = keysIn(en)

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui'
    resources: typeof en
    strictKeyChecks: true
  }
}

/** The texts in one language, loaded synchronously. `changeLanguage` switches the language. */
export function createTexts(language: Language): i18n {
  const texts = createInstance()
  void texts.init({
    lng: language,
    fallbackLng: 'en',
    resources: { en, ru },
    ns: [...subjects],
    defaultNS: 'ui',
    initAsync: false,
    // React and system menus do not interpret HTML.
    interpolation: { escapeValue: false },
  })
  return texts
}

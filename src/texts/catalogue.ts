import { createInstance } from 'i18next'
import type { i18n } from 'i18next'

import { en } from './en.ts'
import { ru } from './ru.ts'

/** Languages of the interface, with their own names. */
export const languages = { en: 'English', ru: 'Русский' } as const
export type Language = keyof typeof languages

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

/** In which manner dates, numbers and sizes are written in a language. */
export const localeOf: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU' }

/** The language for a machine set to `locale`, as `ru-KZ`: its own where there is one, else English. */
export function languageFor(locale: string): Language {
  const language = locale.split('-')[0]
  return isLanguage(language) ? language : 'en'
}

export const subjects = Object.keys(en) as readonly (keyof typeof en)[]

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui'
    resources: typeof en
    strictKeyChecks: true
  }
}

/** The texts in one language, ready at once; `changeLanguage` switches them. */
export function createTexts(language: Language): i18n {
  const texts = createInstance()
  void texts.init({
    lng: language,
    fallbackLng: 'en',
    resources: { en, ru },
    ns: [...subjects],
    defaultNS: 'ui',
    initAsync: false,
    // React and the menus of the system take text as text.
    interpolation: { escapeValue: false },
  })
  return texts
}

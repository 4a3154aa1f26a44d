import { readLanguage, textDirection } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

/** The name of a language and its direction, in the language of the window; undefined where the text names none. */
export function useLanguageHint(): (typed: string) => string | undefined {
  const { t, i18n } = useTranslation('pages')
  return (typed) => {
    const language = typed.trim() === '' ? null : readLanguage(typed)
    if (language === null) return undefined
    const name = new Intl.DisplayNames(i18n.language, { type: 'language' }).of(language) ?? language
    return t(`direction.${textDirection(language)}`, { name })
  }
}

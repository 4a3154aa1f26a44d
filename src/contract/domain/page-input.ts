import { isLanguage } from './site-model-fields.ts'

/** Parses a typed date with an optional time to ISO 8601 UTC; null if it is invalid. UTC is assumed without an offset. */
export function readMoment(text: string): string | null {
  const form = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i
  const given = text.trim()
  if (!form.test(given)) return null
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(given) && given.length > 10
  const ms = Date.parse(given.length === 10 || hasOffset ? given.replace(' ', 'T') : `${given.replace(' ', 'T')}Z`)
  if (Number.isNaN(ms)) return null
  const moment = new Date(ms).toISOString()
  // JavaScript would read a nonexistent day as one of the next month.
  const day = given.length === 10 || !hasOffset ? moment.slice(0, 10) === given.slice(0, 10) : isDay(given.slice(0, 10))
  return day ? moment : null
}

const isDay = (date: string): boolean => {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === date
}

/** A language tag in its canonical form, for example `pt-BR`; null if it is invalid. */
export function readLanguage(text: string): string | null {
  try {
    const [language] = Intl.getCanonicalLocales(text.trim())
    return language !== undefined && isLanguage(language) ? language : null
  } catch {
    return null
  }
}

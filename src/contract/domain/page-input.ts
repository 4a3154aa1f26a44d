import { isLanguage } from './site-model-fields.ts'

/** A moment as a person writes it, with a date at least; ISO 8601 UTC, or null where it is none. Without an offset it is UTC. */
export function readMoment(text: string): string | null {
  const form = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i
  const given = text.trim()
  if (!form.test(given)) return null
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(given) && given.length > 10
  const ms = Date.parse(given.length === 10 || hasOffset ? given.replace(' ', 'T') : `${given.replace(' ', 'T')}Z`)
  if (Number.isNaN(ms)) return null
  const moment = new Date(ms).toISOString()
  // A day that the month does not have would be one of the next.
  const day = given.length === 10 || !hasOffset ? moment.slice(0, 10) === given.slice(0, 10) : isDay(given.slice(0, 10))
  return day ? moment : null
}

const isDay = (date: string): boolean => {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === date
}

/** A language as it is kept, e.g. `pt-BR`; null where the text names none. */
export function readLanguage(text: string): string | null {
  try {
    const [language] = Intl.getCanonicalLocales(text.trim())
    return language !== undefined && isLanguage(language) ? language : null
  } catch {
    return null
  }
}

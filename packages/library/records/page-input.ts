import { isLanguage } from './site-model-fields.ts'
import type { TimeZone } from './time-zone.ts'

/**
 * Reads a typed date with an optional time; null if it is invalid. Returns its moment in ISO 8601 UTC, which for a text without
 * an offset is that of the wall time in a zone.
 */
export function readMoment(text: string): ((zone: TimeZone) => string) | null {
  const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i
  const [, day = '', time = '00:00', offset] = form.exec(text.trim()) ?? []
  const wall = `${day}T${time}`
  const ms = Date.parse(`${wall}${offset ?? 'Z'}`)
  // JavaScript would read a nonexistent day as one of the next month, and 24:00 as the next day.
  if (!isDay(day) || time.startsWith('24') || Number.isNaN(ms)) return null
  const moment = new Date(ms).toISOString()
  return (zone) => (offset === undefined ? (zone.momentOf(wall) ?? moment) : moment)
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

/**
 * Caches one formatter per language and style: creating one costs some 80 KB and most of a millisecond, and a scrolling
 * list would create thousands. The number of styles bounds the cache.
 */
function cached<Style, Format>(make: (locale: string, style: Style) => Format) {
  const made = new Map<string, Format>()
  return (locale: string, style: Style): Format => {
    const key = `${locale} ${JSON.stringify(style)}`
    const format = made.get(key) ?? make(locale, style)
    made.set(key, format)
    return format
  }
}

const dates = cached((locale, style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, style))
const numbers = cached((locale, style: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, style))
const relativeTimes = cached(
  (locale, style: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, style),
)
const lists = cached((locale, style: Intl.ListFormatOptions) => new Intl.ListFormat(locale, style))

const second = 1000
const units = [
  ['year', 365 * 24 * 3600 * second],
  ['month', 30 * 24 * 3600 * second],
  ['week', 7 * 24 * 3600 * second],
  ['day', 24 * 3600 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]

/** How many midnights lie between two times. Days may have 23 or 25 hours. */
const daysBetween = (fromMs: number, toMs: number): number =>
  Math.round((new Date(toMs).setHours(0, 0, 0, 0) - new Date(fromMs).setHours(0, 0, 0, 0)) / (24 * 3600 * second))

/**
 * "3 minutes ago", "yesterday", "in 2 weeks"; less than a minute is "now". Days are those of the local calendar: what
 * happened 40 hours ago may not have happened yesterday. For the same reason no other unit is called "last" or "next".
 * An invalid time is returned unchanged.
 */
export function relativeTime(iso: string, nowMs: number, locale: string): string {
  const ms = Date.parse(iso)
  const distanceMs = ms - nowMs
  if (Number.isNaN(distanceMs)) return iso
  const [unit, length] = units.find(([, least]) => Math.abs(distanceMs) >= least) ?? ['second', Infinity]
  const count = unit === 'day' ? daysBetween(nowMs, ms) : Math.trunc(distanceMs / length)
  const numeric = unit === 'day' || unit === 'second' ? 'auto' : 'always'
  return relativeTimes(locale, { numeric, style: 'long' }).format(count, unit)
}

const inLocalTime = (iso: string, locale: string, style: Intl.DateTimeFormatOptions): string => {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? iso : dates(locale, style).format(ms)
}

/** Date and time to the second, in the local time zone or another. */
export const exactTime = (iso: string, locale: string, timeZone?: string): string =>
  inLocalTime(iso, locale, { dateStyle: 'medium', timeStyle: 'medium', ...(timeZone !== undefined && { timeZone }) })

const isInYearOf = (iso: string, nowMs: number | undefined): boolean =>
  nowMs !== undefined && new Date(iso).getFullYear() === new Date(nowMs).getFullYear()

/** A time for a table column: to the second in the year of `nowMs`, otherwise the date with its year. */
export function shortMoment(iso: string, nowMs: number, locale: string): string {
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  return inLocalTime(iso, locale, isInYearOf(iso, nowMs) ? parts : { dateStyle: 'medium' })
}

/** The date alone; without the year if it is that of `nowMs`. */
export const dayOf = (iso: string, locale: string, nowMs?: number): string =>
  inLocalTime(iso, locale, isInYearOf(iso, nowMs) ? { day: 'numeric', month: 'short' } : { dateStyle: 'medium' })

/** Date and time to the minute, to go with a relative time; without the year if it is that of `nowMs`. */
export function dayAndMinute(iso: string, locale: string, nowMs?: number): string {
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  return inLocalTime(iso, locale, isInYearOf(iso, nowMs) ? parts : { dateStyle: 'medium', timeStyle: 'short' })
}

/** The time of day to the second. */
export const clockTime = (iso: string, locale: string): string => inLocalTime(iso, locale, { timeStyle: 'medium' })

/** The time of day to the minute. */
export const hourAndMinute = (iso: string, locale: string): string => inLocalTime(iso, locale, { timeStyle: 'short' })

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "812 byte" to "1.4 GB", in steps of 1,000 as the file managers of all three systems show them. */
export function fileSize(bytes: number, locale: string): string {
  const step = bytes < 1000 ? 0 : Math.min(sizeUnits.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  const digits = step === 0 || value >= 100 ? 0 : 1
  // Rounding would show 1,000 KB for 999.96 KB: use the next unit.
  if (step < sizeUnits.length - 1 && Number(value.toFixed(digits)) >= 1000) return fileSize(1000 ** (step + 1), locale)
  const unit = sizeUnits[step] ?? 'byte'
  const unitDisplay = step === 0 ? 'long' : 'short'
  return numbers(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits }).format(value)
}

/**
 * "<1 ms", "9 ms", "412 ms", "1.0 secs", "30 secs", "2 mins": tenths for seconds below ten, whole numbers otherwise, so
 * that digits align in a column.
 */
export function duration(ms: number, locale: string): string {
  const inUnit = (value: number, unit: string, digits: number): string =>
    numbers(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value)
  if (ms < 1) return `<${inUnit(1, 'millisecond', 0)}`
  // Compare rounded values: 999.6 ms would show as 1,000 ms.
  if (Math.round(ms) < second) return inUnit(ms, 'millisecond', 0)
  if (Math.round(ms / 100) < 100) return inUnit(ms / second, 'second', 1)
  return Math.round(ms / second) < 60 ? inUnit(ms / second, 'second', 0) : inUnit(ms / (60 * second), 'minute', 0)
}

/** A whole number with digit grouping. */
export const count = (value: number, locale: string): string => numbers(locale, {}).format(value)

/** Formats a fraction from 0 to 1, such as "42 %"; a tiny one is "<1 %", only zero is "0 %". */
export function percent(share: number, locale: string): string {
  const format = numbers(locale, { style: 'percent' })
  return share > 0 && share < 0.005 ? `<${format.format(0.01)}` : format.format(share)
}

/** Joins items as in "a, b and c". */
export const listOf = (items: readonly string[], locale: string): string =>
  lists(locale, { type: 'conjunction' }).format(items)

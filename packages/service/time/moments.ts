/** The range of dates that have a four-digit ISO form. */
const earliestMs = Date.UTC(1970, 0, 1)
const latestMs = Date.UTC(9999, 11, 31)

/** JavaScript parses February 30 as March 2. */
const isDay = (year: number, month: number, day: number): boolean =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day

/** Parses an ISO 8601 date or date-time to milliseconds since 1970; null for anything else. */
export function parseMoment(text: string): number | null {
  const [, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  const ms = isDay(Number(year), Number(month), Number(day)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) || ms < earliestMs || ms > latestMs ? null : ms
}

/** Formats a time like the service: ISO 8601 with a UTC offset (contract, version_cdate). */
export const serviceTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00')

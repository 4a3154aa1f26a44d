/** What JavaScript can say as a date; beyond it there is no ISO text to answer with. */
const earliestMs = Date.UTC(1970, 0, 1)
const latestMs = Date.UTC(9999, 11, 31)

/** JavaScript takes the 30th of February for the 2nd of March. */
const isDay = (year: number, month: number, day: number): boolean =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day

/** Milliseconds since 1970 of an ISO 8601 date, or date and time; null for anything else. */
export function parseMoment(text: string): number | null {
  const [, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  const ms = isDay(Number(year), Number(month), Number(day)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) || ms < earliestMs || ms > latestMs ? null : ms
}

/** A moment as the service writes it: ISO 8601 with the UTC offset (contract, version_cdate). */
export const serviceTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00')

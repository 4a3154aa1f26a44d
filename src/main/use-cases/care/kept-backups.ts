const daysKept = 7
const weeksKept = 4
const dayMs = 86_400_000

const dayOf = (ms: number): number => Math.floor(ms / dayMs)
/** Weeks begin on Monday; the epoch began on a Thursday. */
const weekOf = (ms: number): number => Math.floor((dayOf(ms) + 3) / 7)

/**
 * The times of the backups to keep: the newest of each of the last seven days and the last four weeks with a backup, in UTC.
 * Days without a backup do not count, so nothing is lost after a month offline.
 */
export function keptBackups(madeMs: readonly number[]): ReadonlySet<number> {
  const newestFirst = madeMs.toSorted((one, other) => other - one)
  const newestOfEach = (stretchOf: (ms: number) => number): readonly number[] =>
    [...Map.groupBy(newestFirst, stretchOf).values()].flatMap((made) => made.slice(0, 1))
  return new Set([...newestOfEach(dayOf).slice(0, daysKept), ...newestOfEach(weekOf).slice(0, weeksKept)])
}

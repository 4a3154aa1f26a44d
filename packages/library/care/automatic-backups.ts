import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const extension = '.galley-backup'

const daysKept = 7
const weeksKept = 4
const dayMs = 86_400_000

const dayOf = (ms: number): number => Math.floor(ms / dayMs)
/** Weeks begin on Monday; the epoch began on a Thursday. */
const weekOf = (ms: number): number => Math.floor((dayOf(ms) + 3) / 7)

/** A timestamp for file names, in UTC, to the second. */
const stamp = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')

/** The name of a manual backup at this moment. */
export const backupFileName = (now: Date): string => `galley-${stamp(now)}${extension}`

/** The prefix of this library's automatic backups. Other libraries may use the same folder. */
const automaticStart = (libraryId: string): string => `galley-automatic-${libraryId.slice(0, 8)}-`

/** The name of an automatic backup. */
export const automaticBackupName = (libraryId: string, now: Date): string =>
  `${automaticStart(libraryId)}${stamp(now)}${extension}`

/** The time of an automatic backup of this library, from its file name; null for other files. */
export function automaticBackupMadeMs(name: string, libraryId: string): number | null {
  const start = automaticStart(libraryId)
  if (!name.startsWith(start) || !name.endsWith(extension)) return null
  const [, day, hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d)$/.exec(name.slice(start.length, -extension.length)) ?? []
  const madeMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(madeMs) ? null : madeMs
}

/**
 * Deletes outdated automatic backups that this library folder has made. Those of its copies, which have its id, stay. Manual
 * and renamed ones stay, and so do those of the future, which were made while the clock was ahead: they do not count as newer
 * ones. Throws if the folder cannot be read or written.
 */
export async function thinAutomaticBackups(
  folder: string,
  { libraryId, madeHere, nowMs }: { libraryId: string; madeHere: readonly string[]; nowMs: number },
): Promise<void> {
  const present = new Set(await readdir(folder))
  const made = madeHere.flatMap((name) => {
    if (!present.has(name)) return []
    const madeMs = automaticBackupMadeMs(name, libraryId)
    return madeMs === null || madeMs > nowMs ? [] : [{ name, madeMs }]
  })
  const kept = keptBackups(made.map(({ madeMs }) => madeMs))
  for (const { name, madeMs } of made) if (!kept.has(madeMs)) await rm(join(folder, name))
}

/**
 * The times of the backups to keep: the newest of each of the last seven days and the last four weeks with a backup, in UTC.
 * Days without a backup do not count, so nothing is lost after a month offline.
 */
export function keptBackups(madeMs: readonly number[]): ReadonlySet<number> {
  const newestFirst = madeMs.toSorted((one, other) => other - one)
  const newestOfEach = (periodOf: (ms: number) => number): readonly number[] =>
    [...Map.groupBy(newestFirst, periodOf).values()].flatMap((made) => made.slice(0, 1))
  return new Set([...newestOfEach(dayOf).slice(0, daysKept), ...newestOfEach(weekOf).slice(0, weeksKept)])
}

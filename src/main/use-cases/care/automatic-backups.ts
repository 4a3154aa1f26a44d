import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { keptBackups } from './kept-backups.ts'

const extension = '.galley-backup'

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
 * Deletes outdated automatic backups of this library. Manual and renamed ones stay. Throws if the folder cannot be read or
 * written.
 */
export async function thinAutomaticBackups(folder: string, libraryId: string): Promise<void> {
  const made = (await readdir(folder)).flatMap((name) => {
    const madeMs = automaticBackupMadeMs(name, libraryId)
    return madeMs === null ? [] : [{ name, madeMs }]
  })
  const kept = keptBackups(made.map(({ madeMs }) => madeMs))
  for (const { name, madeMs } of made) if (!kept.has(madeMs)) await rm(join(folder, name))
}

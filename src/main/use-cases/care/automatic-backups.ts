import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { keptBackups } from './kept-backups.ts'

const extension = '.galley-backup'

/** A moment as names of files have it, by the second and in UTC. */
const stamp = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')

/** A name for a backup that a person makes at this moment. */
export const backupFileName = (now: Date): string => `galley-${stamp(now)}${extension}`

/** Every name of an automatic backup of this library begins so: others may keep theirs in the same folder. */
const automaticStart = (libraryId: string): string => `galley-automatic-${libraryId.slice(0, 8)}-`

/** A name for an automatic backup. */
export const automaticBackupName = (libraryId: string, now: Date): string =>
  `${automaticStart(libraryId)}${stamp(now)}${extension}`

/** When a file of this name was made, if it is an automatic backup of this library; else null. */
export function automaticBackupMadeMs(name: string, libraryId: string): number | null {
  const start = automaticStart(libraryId)
  if (!name.startsWith(start) || !name.endsWith(extension)) return null
  const [, day, hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d)$/.exec(name.slice(start.length, -extension.length)) ?? []
  const madeMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(madeMs) ? null : madeMs
}

/**
 * Deletes the automatic backups of this library that are kept no more, and nothing else: what a person made or renamed
 * stays. Throws when the folder cannot be read or written.
 */
export async function thinAutomaticBackups(folder: string, libraryId: string): Promise<void> {
  const made = (await readdir(folder)).flatMap((name) => {
    const madeMs = automaticBackupMadeMs(name, libraryId)
    return madeMs === null ? [] : [{ name, madeMs }]
  })
  const kept = keptBackups(made.map(({ madeMs }) => madeMs))
  for (const { name, madeMs } of made) if (!kept.has(madeMs)) await rm(join(folder, name))
}

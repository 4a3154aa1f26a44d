import { randomBytes } from 'node:crypto'
import { open, stat, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { diskSpace } from './disk-space.ts'
import { hasRoom } from './room.ts'
import { isOutOfRoom } from './storage-reason.ts'
import { syncFolder } from './sync-folder.ts'
import { isSystemError } from './system-error.ts'

/** Enough for the index and the log to record a deletion. */
const reserveBytes = 4 * 1024 ** 2

const reserveFile = (folder: string): string => join(folder, 'reserve')

/** Whether the disk has less free space than a reserve needs. */
export const isDiskLow = async (folder: string): Promise<boolean> => (await diskSpace(folder)).freeBytes < reserveBytes

/** Whether a folder is writable, with space for more than a reserve. */
export const canWriteIn = (folder: string): Promise<boolean> => hasRoom(folder, 2 * reserveBytes)

/** Whether a reserve could be written, also under a quota. Takes some milliseconds. */
export const hasReserveRoom = (folder: string): Promise<boolean> => hasRoom(folder, reserveBytes)

/**
 * Creates the reserve of a library unless it exists. Returns whether it exists now. Contains random bytes, because a disk
 * that compresses or skips zeros would not reserve space. `whatFits`: accepts a smaller reserve. Otherwise it leaves at
 * least as much free space as it uses.
 */
export async function makeReserve(folder: string, whatFits = false): Promise<boolean> {
  const file = reserveFile(folder)
  try {
    if ((await sizeOf(file)) === reserveBytes) return true
    if (!whatFits && (await diskSpace(folder)).freeBytes < 2 * reserveBytes) return false
    const isWhole = await write(file)
    if (!isWhole && !whatFits) await deleteReserve(folder)
    await syncFolder(folder)
    return isWhole
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}

/** Deletes the reserve of a library. Returns false if there is none, or if the folder is not writable. */
export async function deleteReserve(folder: string): Promise<boolean> {
  try {
    await unlink(reserveFile(folder))
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}

/** Enough for the files that SQLite needs to open the databases of a library. */
const openingBytes = 512 * 1024

/** Gives back a part of the reserve, so that a library on a full disk can be opened. Returns false if there is no such part. */
export async function openingRoom(folder: string): Promise<boolean> {
  const file = reserveFile(folder)
  try {
    const left = (await sizeOf(file)) - openingBytes
    if (left < 0) return false
    await truncate(file, left)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Returns false if the disk is full. */
async function write(file: string): Promise<boolean> {
  await using handle = await open(file, 'w', 0o600)
  let isWhole = true
  try {
    await handle.writeFile(randomBytes(reserveBytes))
  } catch (error) {
    if (!isOutOfRoom(error)) throw error
    isWhole = false
  }
  await handle.sync()
  return isWhole
}

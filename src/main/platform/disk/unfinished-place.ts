import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import { realDisk } from './disk.ts'
import { syncFolder } from './sync-folder.ts'
import { isSystemError } from './system-error.ts'

/** A temporary path next to a target path, renamed to it when complete. */
export interface UnfinishedPlace {
  readonly path: string
  /** Removes the unfinished file or folder. */
  discard(): Promise<void>
}

const isUnfinished = (name: string, wanted: string): boolean =>
  name.startsWith(`.${wanted}.`) && /^[0-9a-f]{16}\.galley-tmp$/.test(name.slice(wanted.length + 2))

/** A temporary path for something that must appear at `place` only when complete. Removes leftovers of a killed run. */
export async function unfinishedBeside(place: string): Promise<UnfinishedPlace> {
  const [folder, wanted] = [dirname(resolve(place)), basename(resolve(place))]
  for (const name of await readdir(folder)) {
    if (isUnfinished(name, wanted)) await rm(join(folder, name), { recursive: true, force: true })
  }
  const path = join(folder, `.${wanted}.${randomBytes(8).toString('hex')}.galley-tmp`)
  return { path, discard: () => rm(path, { recursive: true, force: true }) }
}

/** A new folder for what must appear at its place only when complete. */
export interface UnfinishedFolder extends UnfinishedPlace {
  /** Moves it to its place, synced. */
  finish(): Promise<void>
}

/** The name of an unfinished folder inside its place. */
const inside = 'unfinished'

/** Whether there is nothing at this path, or a folder without anything of anybody's. */
export async function isFreePlace(path: string): Promise<boolean> {
  const found = await realDisk.inspect(path)
  if (found?.kind !== 'folder') return found === null
  // Some file systems have such a folder at their root.
  return (await readdir(path)).every((name) => name === 'lost+found' || isUnfinished(name, inside))
}

/**
 * Begins a folder for a free place. It is beside the place, and inside it where the place cannot be replaced: at a mount
 * point, or in a folder of somebody else. There its entries appear one by one, `last` as the last one.
 */
export async function unfinishedFolder(place: string, last: string): Promise<UnfinishedFolder> {
  const isInside = (await realDisk.inspect(place)) !== null && !(await isReplaceable(place))
  const unfinished = await unfinishedBeside(isInside ? join(place, inside) : place)
  const { path } = unfinished
  await mkdir(path, { mode: 0o700 })
  const finish = async (): Promise<void> => {
    if (!isInside) await rename(path, place)
    else {
      for (const name of (await readdir(path)).filter((each) => each !== last))
        await rename(join(path, name), join(place, name))
      await syncFolder(place)
      await rename(join(path, last), join(place, last))
    }
    await syncFolder(isInside ? place : dirname(place))
  }
  return { ...unfinished, finish }
}

/** Only trying tells; an empty folder takes the place of the other one. */
async function isReplaceable(place: string): Promise<boolean> {
  try {
    const other = await unfinishedBeside(place)
    try {
      await mkdir(other.path, { mode: 0o700 })
      await rename(other.path, place)
      return true
    } finally {
      await other.discard()
    }
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

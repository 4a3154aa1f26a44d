import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import { realDisk } from './disk.ts'
import { syncFolder } from './sync-folder.ts'
import { isSystemError } from './system-error.ts'

/** A temporary path next to a target path, renamed to it when complete. */
export interface UnfinishedPath {
  readonly path: string
  /** Removes the unfinished file or folder. */
  discard(): Promise<void>
}

const isUnfinished = (name: string, wanted: string): boolean =>
  name.startsWith(`.${wanted}.`) && /^[0-9a-f]{16}\.galley-tmp$/.test(name.slice(wanted.length + 2))

/** A temporary path for something that must appear at `place` only when complete. Removes leftovers of a killed run. */
export async function unfinishedBeside(place: string): Promise<UnfinishedPath> {
  const [folder, wanted] = [dirname(resolve(place)), basename(resolve(place))]
  for (const name of await readdir(folder)) {
    if (isUnfinished(name, wanted)) await rm(join(folder, name), { recursive: true, force: true })
  }
  const path = join(folder, `.${wanted}.${randomBytes(8).toString('hex')}.galley-tmp`)
  return { path, discard: () => rm(path, { recursive: true, force: true }) }
}

/** A new folder for what must appear at its place only when complete. */
export interface UnfinishedFolder extends UnfinishedPath {
  /** Moves it to its place, synced. */
  finish(): Promise<void>
}

/** The name of an unfinished folder inside its place. */
const inside = 'unfinished'

/** Whether nothing is at this path, or only an empty folder. */
export async function isFreePath(path: string): Promise<boolean> {
  const found = await realDisk.inspect(path)
  if (found?.kind !== 'folder') return found === null
  // Some file systems have such a folder at their root.
  return (await readdir(path)).every((name) => name === 'lost+found' || isUnfinished(name, inside))
}

/**
 * Creates the unfinished folder for a free place: next to it, or inside it if the place cannot be replaced. That is the case
 * at a mount point, and in a parent folder that belongs to another user. Entries are then moved to the place one by one, and
 * `last` after all others.
 */
export async function unfinishedFolder(place: string, last: string): Promise<UnfinishedFolder> {
  const isInside = !(await isReplaceable(place))
  const unfinished = await unfinishedBeside(isInside ? join(place, inside) : place)
  const { path } = unfinished
  await mkdir(path, { mode: 0o700 })
  return {
    ...unfinished,
    async finish() {
      if (isInside) return moveEntries(path, place, last)
      await rmdir(place).catch(() => undefined)
      await rename(path, place)
      await syncFolder(dirname(place))
    },
  }
}

/** Tests it by moving the empty folder aside and back, because permissions and mount points do not tell in advance. */
async function isReplaceable(place: string): Promise<boolean> {
  if ((await realDisk.inspect(place)) === null) return true
  if ((await readdir(place)).length > 0) return false
  try {
    const { path } = await unfinishedBeside(place)
    await rename(place, path)
    await rename(path, place)
    return true
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

/** Moves all entries of a folder, `last` after all others. If one cannot be moved, moves the others back. */
async function moveEntries(from: string, to: string, last: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => name !== last)
  const moved: string[] = []
  try {
    for (const name of names) {
      await rename(join(from, name), join(to, name))
      moved.push(name)
    }
    await syncFolder(to)
    await rename(join(from, last), join(to, last))
  } catch (error) {
    for (const name of moved) await rename(join(to, name), join(from, name))
    throw error
  }
  await syncFolder(to)
}

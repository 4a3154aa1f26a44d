import { basename, dirname, join } from 'node:path'
import { compare, unfinishedFolder } from '@galley/library/records'
import type { Disk, Kind } from '@galley/platform'
import { isTemporaryName, temporaryName } from '@galley/platform'

import { bytesOf } from './content.ts'

const gitIgnore = '.gitignore'

/** The parent folders of a path, outermost first, without the bundle's root. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** The folders that contain these files, without the bundle's root, each once and after its parents. */
export const foldersOf = (paths: Iterable<string>): readonly string[] =>
  [...new Set([...paths].flatMap(foldersAbove))].toSorted(compare)

/** What exists at the path of a file of the bundle. Links are never followed. */
export type PathState =
  | { readonly kind: 'free' }
  | { readonly kind: 'file'; readonly sizeBytes: number }
  | { readonly kind: 'blocked'; readonly path: string; readonly found: Kind }

/**
 * A complete, synced file in the folder of unfinished ones. `place` moves it to its path by one rename; `drop` deletes what is
 * left of it there.
 */
export class StagedFile {
  /** The second name of the file that this one replaces. */
  #replaced: string | null = null
  #isPlaced = false
  readonly #disk: Disk
  readonly #temporary: string
  readonly #place: string

  constructor(disk: Disk, temporary: string, place: string) {
    this.#disk = disk
    this.#temporary = temporary
    this.#place = place
  }

  /** The hash of its bytes, read back. */
  hash(): Promise<string> {
    return this.#disk.hash(this.#temporary)
  }

  /**
   * Gives the file that this one replaces a second name until `drop`. Otherwise, each rename would wait until the disk has freed
   * what it replaces.
   */
  async keepReplaced(): Promise<void> {
    const name = join(dirname(this.#temporary), temporaryName())
    if (await this.#disk.link(this.#place, name)) this.#replaced = name
  }

  place(): void {
    this.#disk.rename(this.#temporary, this.#place)
    this.#isPlaced = true
  }

  async drop(): Promise<void> {
    if (this.#replaced !== null) await this.#disk.remove(this.#replaced)
    if (!this.#isPlaced && (await this.#disk.inspect(this.#temporary)) !== null)
      await this.#disk.remove(this.#temporary)
  }
}

/**
 * The folder of a bundle. Paths are relative to the bundle. Each step of a path is checked before it is used, and a
 * file always takes its place by a rename. So neither a planted link nor an interruption can damage what is there.
 * (Node has no openat: a program that replaces a folder with a link between check and use can write with this user's
 * permissions anyway.)
 */
export function createTargetFolder(root: string, disk: Disk) {
  const at = (path: string): string => (path === '' ? root : join(root, ...path.split('/')))

  async function inspect(path: string, inspectFolder: Disk['inspect'] = disk.inspect): Promise<PathState> {
    for (const folder of foldersAbove(path)) {
      const above = await inspectFolder(at(folder))
      if (above === null) return { kind: 'free' }
      if (above.kind !== 'folder') return { kind: 'blocked', path: folder, found: above.kind }
    }
    const here = await disk.inspect(at(path))
    if (here === null) return { kind: 'free' }
    return here.kind === 'file' ? { ...here, kind: 'file' } : { kind: 'blocked', path, found: here.kind }
  }

  async function stage(path: string, chunks: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const temporary = join(at(unfinishedFolder), temporaryName())
    const staged = new StagedFile(disk, temporary, at(path))
    let isWhole = false
    try {
      await disk.create(temporary, chunks)
      isWhole = true
    } finally {
      if (!isWhole) await staged.drop()
    }
    return staged
  }

  return {
    inspect: (path: string) => inspect(path),
    /** Like `inspect`, for many files at the same time: each folder is checked once. */
    createPlaceReader(): (path: string) => Promise<PathState> {
      const folders = new Map<string, ReturnType<Disk['inspect']>>()
      const inspectFolder: Disk['inspect'] = (folder) => {
        const known = folders.get(folder) ?? disk.inspect(folder)
        folders.set(folder, known)
        return known
      }
      return (path) => inspect(path, inspectFolder)
    },
    list: () => disk.list(root),
    readText: (path: string) => disk.readText(at(path)),
    hash: (path: string) => disk.hash(at(path)),
    makeFolder: (path: string) => disk.makeFolder(at(path)),
    syncFolder: (path: string) => disk.syncFolder(at(path)),
    remove: (path: string) => disk.remove(at(path)),

    /** Deletes a folder if it is one and is empty. */
    async removeFolder(path: string): Promise<void> {
      if ((await disk.inspect(at(path)))?.kind === 'folder') await disk.removeFolder(at(path))
    },

    /** Writes a file and syncs it before it takes its place. */
    async put(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
      const staged = await stage(path, chunks)
      try {
        staged.place()
      } finally {
        await staged.drop()
      }
    },

    stage,

    /**
     * Deletes partial files of interrupted exports, and their folder unless the journal is in it.
     */
    async clean(folders: readonly string[]): Promise<void> {
      for (const folder of [unfinishedFolder, '', ...folders]) await removeUnfinished(disk, at(folder))
    },

    /** Makes the folder of unfinished files, of which git takes nothing. */
    async makeUnfinishedFolder(): Promise<void> {
      await disk.makeFolder(at(unfinishedFolder))
      const path = join(at(unfinishedFolder), gitIgnore)
      if ((await disk.inspect(path)) === null) await disk.create(path, bytesOf('*\n'))
    },
  }
}

/** Deletes partial files in a folder, and the folder if it is for them and has nothing else. */
async function removeUnfinished(disk: Disk, folder: string): Promise<void> {
  if ((await disk.inspect(folder))?.kind !== 'folder') return
  const names = await disk.list(folder)
  const isOver =
    basename(folder) === unfinishedFolder && names.every((name) => isTemporaryName(name) || name === gitIgnore)
  for (const name of names) {
    const path = join(folder, name)
    if ((isTemporaryName(name) || isOver) && (await disk.inspect(path))?.kind === 'file') await disk.remove(path)
  }
  if (isOver) await disk.removeFolder(folder)
}

export type TargetFolder = ReturnType<typeof createTargetFolder>

import { join } from 'node:path'

import { compare } from '../../../contract/domain/bundle/order.ts'
import type { Disk, Kind } from '../../platform/disk/disk.ts'
import { isTemporaryName, temporaryName } from '../../platform/disk/disk.ts'

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** The folders above a path, the outermost first, without the bundle's own. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** The folders that these files lie in, without the bundle's own, each once and behind those that it lies in. */
export const foldersOf = (paths: Iterable<string>): readonly string[] =>
  [...new Set([...paths].flatMap(foldersAbove))].toSorted(compare)

/** What stands where a file of the bundle belongs, links not followed at any step. */
export type Place =
  | { readonly kind: 'free' }
  | { readonly kind: 'file'; readonly sizeBytes: number }
  | { readonly kind: 'blocked'; readonly path: string; readonly found: Kind }

/** A whole, synced file beside its place: moved there by one rename, or dropped; dropped in its place, it stays there. */
export interface StagedFile {
  /** Of its bytes as they are read back. */
  hash(): Promise<string>
  place(): Promise<void>
  drop(): Promise<void>
}

/**
 * The folder a bundle lies in. Paths are the bundle's; each step of one is looked at before it is used, and a file only
 * ever takes its place by a rename, so that neither a planted link nor a stop in the middle reaches what is there.
 * (Node has no openat: someone who swaps a folder for a link between look and use can write with this user's rights
 * anyway.)
 */
export function createTargetFolder(root: string, disk: Disk) {
  const at = (path: string): string => (path === '' ? root : join(root, ...path.split('/')))

  async function look(path: string, lookAt: Disk['look'] = disk.look): Promise<Place> {
    for (const folder of foldersAbove(path)) {
      const above = await lookAt(at(folder))
      if (above === null) return { kind: 'free' }
      if (above.kind !== 'folder') return { kind: 'blocked', path: folder, found: above.kind }
    }
    const here = await disk.look(at(path))
    if (here === null) return { kind: 'free' }
    return here.kind === 'file' ? { ...here, kind: 'file' } : { kind: 'blocked', path, found: here.kind }
  }

  async function stage(path: string, chunks: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const temporary = join(at(folderOf(path)), temporaryName())
    const drop = async (): Promise<void> => {
      if ((await disk.look(temporary)) !== null) await disk.remove(temporary)
    }
    let isWhole = false
    try {
      await disk.create(temporary, chunks)
      isWhole = true
    } finally {
      if (!isWhole) await drop()
    }
    let isPlaced = false
    return {
      hash: () => disk.hash(temporary),
      async place() {
        await disk.rename(temporary, at(path))
        isPlaced = true
      },
      drop: async () => (isPlaced ? undefined : drop()),
    }
  }

  return {
    look: (path: string) => look(path),
    /** The same for many files of one moment: a folder is looked at once. */
    looker(): (path: string) => Promise<Place> {
      const folders = new Map<string, ReturnType<Disk['look']>>()
      const lookAt: Disk['look'] = (folder) => {
        const known = folders.get(folder) ?? disk.look(folder)
        folders.set(folder, known)
        return known
      }
      return (path) => look(path, lookAt)
    },
    list: () => disk.list(root),
    readText: (path: string) => disk.readText(at(path)),
    hash: (path: string) => disk.hash(at(path)),
    makeFolder: (path: string) => disk.makeFolder(at(path)),
    syncFolder: (path: string) => disk.syncFolder(at(path)),
    remove: (path: string) => disk.remove(at(path)),

    /** Removes a folder if it is one, and empty. */
    async removeFolder(path: string): Promise<void> {
      if ((await disk.look(at(path)))?.kind === 'folder') await disk.removeFolder(at(path))
    },

    /** Puts a whole, synced file in its place. */
    async put(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
      const staged = await stage(path, chunks)
      try {
        await staged.place()
      } finally {
        await staged.drop()
      }
    },

    stage,

    /** Removes what killed exports left half-written in the root and in these folders. */
    async clean(folders: readonly string[]): Promise<void> {
      for (const folder of ['', ...folders]) {
        if ((await disk.look(at(folder)))?.kind !== 'folder') continue
        for (const name of (await disk.list(at(folder))).filter(isTemporaryName)) {
          const path = join(at(folder), name)
          if ((await disk.look(path))?.kind === 'file') await disk.remove(path)
        }
      }
    },
  }
}

export type TargetFolder = ReturnType<typeof createTargetFolder>

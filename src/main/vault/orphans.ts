import { lstatSync, renameSync, rmSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import type { Sha256 } from '../../contract/ids.ts'
import type { FileLock } from '../db/file-lock.ts'
import type { FolderEntry } from './folder-entries.ts'
import { entriesIn } from './folder-entries.ts'

/** What becomes of files that nothing names. */
export type OrphanFate = 'listed' | 'deleted' | 'set aside'

/** The orphans that were found; `left` could not be looked at, because somebody used the files all the time. */
export interface Orphans {
  readonly files: readonly string[]
  readonly bytes: number
  readonly left: number
}

/** So many are deleted at once: whoever saves meanwhile waits some milliseconds. */
const batch = 32
const patienceMs = 10_000
const retryMs = 3

/** The part of the vault that knows files nobody names: in its folders, and those that a repair has set aside. */
export function orphanage(
  folders: readonly string[],
  asideFolder: string,
  isNamed: (file: Sha256) => boolean,
  lock: FileLock,
) {
  /** Null when the file is named by now, or gone. */
  function dispose(path: string, file: Sha256, fate: OrphanFate): number | null {
    const status = lstatSync(path, { throwIfNoEntry: false })
    if (status === undefined || isNamed(file)) return null
    if (fate === 'deleted') rmSync(path, { recursive: true, force: true })
    if (fate === 'set aside') renameSync(path, join(asideFolder, file))
    return status.size
  }

  async function soon(work: () => void, signal?: AbortSignal): Promise<boolean> {
    for (let waitedMs = 0; !lock.alone(work); waitedMs += retryMs) {
      if (waitedMs >= patienceMs || signal?.aborted) return false
      await delay(retryMs)
    }
    return true
  }

  return {
    /**
     * Looks for files that nothing names, and does with them what is wished. Any process may call it at any time: each is
     * looked up again at a moment in which nobody is between moving files in and naming them.
     */
    async orphans(fate: OrphanFate, signal?: AbortSignal): Promise<Orphans> {
      const files: string[] = []
      let bytes = 0
      let left = 0
      if (fate === 'set aside') await mkdir(asideFolder, { recursive: true, mode: 0o700 })
      for (const folder of folders) {
        const names = (await readdir(folder)) as Sha256[]
        for (let at = 0; at < names.length; at += batch) {
          if (signal?.aborted) break
          const suspects = names.slice(at, at + batch).filter((file) => !isNamed(file))
          const done =
            suspects.length === 0 ||
            (await soon(() => {
              for (const file of suspects) {
                const size = dispose(join(folder, file), file, fate)
                if (size === null) continue
                files.push(file)
                bytes += size
              }
            }, signal))
          if (!done) left += suspects.length
          await nextTurn()
        }
      }
      return { files, bytes, left }
    },

    /** What repairs have set aside. */
    setAside: (): Promise<readonly FolderEntry[]> => entriesIn(asideFolder),

    removeSetAside: (name: string): Promise<void> => rm(join(asideFolder, name), { recursive: true, force: true }),
  }
}

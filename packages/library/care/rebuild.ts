import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { databaseFiles } from '../db/database/open.ts'
import type { OpeningNote } from '../db/open/open-library.ts'
import { demandWritable, openLibrary } from '../db/open/open-library.ts'
import type { RebuildSource } from '../db/open/opening.ts'
import { LibraryReadOnlyError } from '../db/open/read-only-copy.ts'
import type { RebuiltNote } from '../db/open/replace-index.ts'
import { currentOwner, LibraryServedError, takeOwnership } from '../db/owner.ts'

/** A rebuilt index, and what could not be rebuilt. */
export interface RebuildReport {
  readonly position: number
  readonly fromCheckpoint: number | null
  readonly materials: number
  readonly versions: number
  /** The new path of the previous index; null if there was none. */
  readonly setAside: string | null
  /** The new path of the log that a new one replaced; null if none was. */
  readonly logSetAside: string | null
  readonly lost: readonly LostEntries[]
  readonly ms: number
}

/**
 * Entries that are in neither the log nor a checkpoint. `id` is their position, or their first and last one.
 * `only_in_old_log`: the set-aside log, or a checkpoint in it, has them. `cut_off`: after the end of the log, known only from
 * this computer's list of callbacks.
 */
export interface LostEntries {
  readonly kind: 'entry'
  readonly id: string
  readonly reason: 'damaged' | 'missing' | 'contradicts' | 'only_in_old_index' | 'only_in_old_log' | 'cut_off'
}

/** `code` for `storageReason`. */
class NoLibraryError extends Error {
  readonly code = 'ENOENT'
}

/** Whether anything in a folder may come from a library. An empty one would become a new library. */
const mayHoldLibrary = (folder: string): boolean =>
  [databaseFiles(folder).index, ...['library.json', 'log', 'files'].map((name) => join(folder, name))].some(existsSync)

/** Sets the index aside and rebuilds it. Throws LibraryServedError, LibraryReadOnlyError and the errors of opening a library. */
export async function rebuildLibrary(
  folder: string,
  { from, now }: { readonly from: RebuildSource; readonly now: () => Date },
): Promise<RebuildReport> {
  const startedMs = performance.now()
  if (!mayHoldLibrary(folder)) throw new NoLibraryError('There is no library in this folder')
  try {
    demandWritable(folder)
  } catch {
    throw new LibraryReadOnlyError()
  }
  // Held until the end, so that no listener starts with the old index.
  const ownership = takeOwnership(folder, process.pid)
  if (ownership === null) throw new LibraryServedError(currentOwner(folder)?.processId ?? 0)
  try {
    return await rebuilt(folder, { from, now }, startedMs)
  } finally {
    ownership.release()
  }
}

async function rebuilt(
  folder: string,
  { from, now }: { readonly from: RebuildSource; readonly now: () => Date },
  startedMs: number,
): Promise<RebuildReport> {
  const library = await openLibrary(folder, now, () => undefined, { from })
  try {
    const note = library.notes.find(({ kind }) => kind === 'rebuilt')
    if (note?.kind !== 'rebuilt') throw new Error('A rebuild that was asked for did not happen')
    const { position, fromCheckpoint, materials, versions } = note.report
    const aside = (name: string | null | undefined): string | null => (name ? join(resolve(folder), name) : null)
    const ms = Math.round(performance.now() - startedMs)
    return {
      position,
      fromCheckpoint,
      materials,
      versions,
      setAside: aside(note.setAside),
      logSetAside: aside(note.oldLog?.setAside),
      lost: [...lostOf(note), ...cutOffIn(library.notes)].map(lostEntries),
      ms,
    }
  } finally {
    library.close()
  }
}

/** A range of the log that a rebuilt index does not contain. */
interface LostRange {
  readonly position: number
  readonly count: number
  readonly reason: LostEntries['reason']
}

/** The entries missing from a rebuilt index. */
export function lostOf({ report, before, isForked, oldLog }: RebuiltNote): readonly LostRange[] {
  const lost = report.lost.map(({ kind, position, count }) => ({ position, count, reason: kind }))
  // The positions of a rewritten log start again, so only those of the old log can be compared with the index before.
  if (oldLog) return oldLog.onlyThere ? [...lost, { ...oldLog.onlyThere, reason: 'only_in_old_log' }] : lost
  if (before === null) return lost
  // It is unknown from which entry on log and index differ.
  if (isForked) return [...lost, { position: before, count: 1, reason: 'only_in_old_index' }]
  if (before <= report.position) return lost
  const onlyBefore = { position: report.position + 1, count: before - report.position }
  return [...lost, { ...onlyBefore, reason: 'only_in_old_index' }]
}

const cutOffIn = (notes: readonly OpeningNote[]): readonly LostRange[] =>
  notes.flatMap((note) =>
    note.kind === 'cut_off' && !note.isCopy ? [{ position: note.position, count: note.count, reason: 'cut_off' }] : [],
  )

const lostEntries = ({ position, count, reason }: LostRange): LostEntries => ({
  kind: 'entry',
  id: count === 1 ? String(position) : `${position}-${position + count - 1}`,
  reason,
})

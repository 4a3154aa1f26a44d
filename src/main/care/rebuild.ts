import { join, resolve } from 'node:path'

import { currentOwner, takeOwnership } from '../db/owner.ts'
import type { Unapplied } from '../db/apply/follow-log.ts'
import type { RebuiltNote } from '../db/ensure-index.ts'
import { openLibrary } from '../db/open-library.ts'

/** An index that was made anew, with what of the library could not be made again. */
export interface RebuildReport {
  readonly position: number
  readonly fromCheckpoint: number | null
  readonly materials: number
  readonly versions: number
  /** Where the index that was there is now; null when none was. */
  readonly setAside: string | null
  readonly lost: readonly LostEntries[]
  readonly ms: number
}

/** Entries that neither the log nor a checkpoint holds; `id` is their position, or the first and the last one. */
export interface LostEntries {
  readonly kind: 'entry'
  readonly id: string
  readonly reason: 'damaged' | 'missing' | 'contradicts' | 'only_in_old_index'
}

/** The library is being served, so its index cannot be replaced now. */
export class LibraryServedError extends Error {
  readonly code = 'library_in_use'
  constructor(processId: number) {
    super(
      `${processId === 0 ? 'Another process' : `Process ${processId}`} receives saves for this library. ` +
        'Nothing was changed. Stop its listener, then rebuild.',
    )
  }
}

/** Sets the index aside and makes it anew. Throws LibraryServedError, and what opening the library throws. */
export async function rebuildLibrary(
  folder: string,
  { from, now }: { readonly from: 'log' | 'index'; readonly now: () => Date },
): Promise<RebuildReport> {
  const startedMs = performance.now()
  // Held to the end: a listener that starts meanwhile would serve the index that is set aside.
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
  { from, now }: { readonly from: 'log' | 'index'; readonly now: () => Date },
  startedMs: number,
): Promise<RebuildReport> {
  const library = await openLibrary(folder, now, () => undefined, { from })
  try {
    const note = library.notes.find(({ kind }) => kind === 'rebuilt')
    if (note?.kind !== 'rebuilt') throw new Error('A rebuild that was asked for did not happen')
    const { position, fromCheckpoint, materials, versions } = note.report
    const ms = Math.round(performance.now() - startedMs)
    return {
      position,
      fromCheckpoint,
      materials,
      versions,
      setAside: note.setAside && join(resolve(folder), note.setAside),
      lost: lostOf(note, from),
      ms,
    }
  } finally {
    library.close()
  }
}

function lostOf({ report, before }: RebuiltNote, from: 'log' | 'index'): readonly LostEntries[] {
  const unapplied = report.unapplied.filter(({ kind }) => kind !== 'unlinked').map(lostEntry)
  // A log that was written from the index counts anew.
  if (from === 'index' || before === null || before <= report.position) return unapplied
  const id = rangeOf(report.position + 1, before - report.position)
  return [...unapplied, { kind: 'entry', id, reason: 'only_in_old_index' }]
}

const rangeOf = (position: number, count: number): string =>
  count === 1 ? String(position) : `${position}-${position + count - 1}`

const lostEntry = ({ kind, position, count }: Unapplied): LostEntries => ({
  kind: 'entry',
  id: rangeOf(position, count),
  reason: kind === 'missing' || kind === 'contradicts' ? kind : 'damaged',
})

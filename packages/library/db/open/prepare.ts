import { existsSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import { syncFolderNow } from '@galley/platform'

import { databaseFiles, inspectIndex } from '../database/open.ts'
import { otherOwner } from '../owner.ts'
import { createLog, findName, ForeignLibraryError, LibraryDamagedError } from './ensure-log.ts'
import type { Known, LibraryContext } from './findings.ts'
import { findState } from './findings.ts'
import { writtenName } from './library-file.ts'
import { ensureLocal, replaceLocal } from './local-file.ts'
import { logFromIndex } from './log-from-index.ts'
import type { RebuildSource, Step } from './opening.ts'
import { causeToRebuild, nextStep } from './opening.ts'
import { requestedRebuild, requestIn, requestRebuild, withdrawRebuild } from './rebuild-request.ts'
import { nameWithMoment } from './rebuild.ts'
import type { OldLog, RebuiltNote } from './replace-index.ts'
import { indexFromCheckpoint, NoLogError, rebuildIndex } from './replace-index.ts'

/** The rebuild that a person requested, and its source. */
export interface WantedRebuild {
  readonly from: RebuildSource
  /** The cause, unless a person requested it. */
  readonly cause?: 'damaged'
}

// A member's log is a copy of the log in its team's bucket, so a faulty copy is replaced without asking.

/** A new copy of the team's log was begun. */
interface RenewedNote {
  readonly kind: 'copy_renewed'
  /** The name of the old copy in the library folder; null if there was none. */
  readonly setAside: string | null
}

/**
 * Sets the copy aside and starts a new one after the index, from which a checkpoint is written first. The following
 * entries are fetched from the bucket, which rejects an index that is not the team's. The caller holds the writers'
 * lock.
 */
async function renewCopy({ folder, log, checkpoints, now }: LibraryContext): Promise<RenewedNote> {
  const position = await checkpoints.write(databaseFiles(folder).index, new AbortController().signal)
  const aside = existsSync(log.folder) ? nameWithMoment(`${log.folder}.set-aside`, now()) : null
  if (aside !== null) renameSync(log.folder, aside)
  log.beginAfter(position)
  syncFolderNow(folder)
  return { kind: 'copy_renewed', setAside: aside && basename(aside) }
}

export type PreparedNote =
  | RebuiltNote
  /**
   * `local.db` was missing or belonged to another library: settings, refused callbacks and saved views of this machine
   * are lost, saves are not.
   */
  | { readonly kind: 'local_lost' }
  | RenewedNote

interface Prepared {
  /** The name of the library. */
  readonly library: string
  readonly notes: readonly PreparedNote[]
}

/** What the steps of an opening have done. */
interface Opening {
  readonly asked: RebuildSource | null
  readonly by: Known['by']
  readonly wasRequested: boolean
  readonly done: Step[]
  isLocalLost: boolean
  oldLog: OldLog | null
  rebuilt: RebuiltNote | null
  renewed: RenewedNote | null
}

const found = (context: LibraryContext, { asked, by, done, rebuilt }: Opening) =>
  findState(context, { library: null, asked, by, done, isLogFaulty: rebuilt?.isLogFaulty === true })

/** Creates log, `local.db` and index, or repairs them, step by step as the tables in opening.ts say. */
export async function prepare(context: LibraryContext, wanted: WantedRebuild | null): Promise<Prepared> {
  const { folder } = context
  // Another process may write to the log, so a requested rebuild waits until that process has ended.
  const asked = wanted?.from ?? (otherOwner(folder) === null ? requestedRebuild(folder) : null)
  const opening: Opening = {
    asked,
    by: wanted ? (wanted.cause ? 'damage' : 'person') : asked && 'file',
    wasRequested: requestIn(folder) !== null,
    done: [],
    isLocalLost: false,
    oldLog: null,
    rebuilt: null,
    renewed: null,
  }
  for (;;) {
    const step = nextStep(await found(context, opening), opening.done)
    if (step === 'open') break
    await carryOut[step](context, opening)
    opening.done.push(step)
  }
  const { done, isLocalLost, oldLog, rebuilt, renewed } = opening
  const library = nameIn(folder)
  // Creating the first files of a library needs no note.
  if (done.includes('create_log')) return { library, notes: [] }
  const notes = [
    isLocalLost ? ({ kind: 'local_lost' } as const) : null,
    rebuilt && oldLog ? { ...rebuilt, oldLog } : rebuilt,
    renewed,
  ]
  return { library, notes: notes.filter((note) => note !== null) }
}

/** One function for each step. */
const carryOut: Record<Exclude<Step, 'open'>, (context: LibraryContext, opening: Opening) => Promise<void> | void> = {
  index_from_checkpoint: indexFromCheckpoint,
  async log_from_index({ folder, now }, opening) {
    const { isLocalLost, oldLog } = await logFromIndex(folder, now)
    Object.assign(opening, { isLocalLost, oldLog })
  },
  restore_line_ends: ({ log }) => log.restore(),
  create_log: createLog,
  refuse_without_log_and_index({ isCopy }) {
    throw new LibraryDamagedError(isCopy)
  },
  find_name: findName,
  renew_copy: renew,
  refuse_without_log() {
    throw new NoLogError()
  },
  // From here on, everything else can be rebuilt from the log, also by the next opening.
  request_rebuild: ({ folder }) => requestRebuild(folder, 'log'),
  prepare_local({ folder, now }, opening) {
    opening.isLocalLost = ensureLocal(folder, now, opening.asked !== null) || opening.isLocalLost
  },
  rebuild_index: rebuild,
  renew_faulty_copy: renew,
  replace_local({ folder, now }, opening) {
    replaceLocal(folder, now)
    opening.isLocalLost = true
  },
}

async function renew(context: LibraryContext, opening: Opening): Promise<void> {
  opening.renewed = await renewCopy(context)
}

async function rebuild(context: LibraryContext, opening: Opening): Promise<void> {
  const { folder } = context
  const cause = causeToRebuild(await found(context, opening))
  if (cause === null) return
  try {
    opening.rebuilt = await rebuildIndex({ ...context, library: nameIn(folder) }, cause)
  } catch (error) {
    // The index is unchanged, so the next opening has nothing to do, unless the log is new.
    if ((!opening.wasRequested || error instanceof ForeignLibraryError) && opening.oldLog === null)
      withdrawRebuild(folder)
    throw error
  }
}

/** The name of the library, once there is one. */
function nameIn(folder: string): string {
  const index = inspectIndex(databaseFiles(folder).index)
  return writtenName(folder) ?? (index.kind === 'usable' ? index.library : '')
}

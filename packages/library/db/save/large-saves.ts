import { CausedError } from '@galley/wire'

import { LogSyncError } from '../../log/append.ts'
import type { LibraryLog } from '../../log/log.ts'
import { WriterEndedError } from '../../log/writer-ended.ts'
import type { LoggedDelivery } from '../../records/changes.ts'
import type { Unapplied } from '../apply/lost-entries.ts'
import type { createCommit } from '../commit/commit.ts'
import type { IndexFiles } from '../database/open.ts'
import { isDamage } from '../database/open.ts'
import type { StoredSave } from './save-draft.ts'
import type { writeIndexBack } from './write-back.ts'
import type { SentError, SentSave, WrittenSave } from './write-save.ts'

/** The work of another thread on an index that this one has open. */
export interface SaveThread {
  /** Rejects with the error of `turn`, or if the thread ends. */
  readonly write: (save: SentSave, turn: () => Promise<LoggedDelivery | null>) => Promise<WrittenSave>
  readonly writeBack: (files: IndexFiles) => Promise<ReturnType<typeof writeIndexBack>>
}

/** How many rows of a save are written on the main thread: some fifteen milliseconds of work. A thread takes 20 MB. */
const rowsHere = 1000

/** Whether writing a save would block its thread for long. Counts the rows of files and references. */
export function isLarge({ blobs, content, sheets = [] }: StoredSave): boolean {
  const ofPage = 'version' in content ? (content.version.references ?? []).length : 0
  const ofSheets = sheets.reduce((sum, { references }) => sum + references.length, 0)
  return blobs.length + ofPage + ofSheets > rowsHere
}

interface LargeSavePorts {
  readonly folder: string
  readonly log: Pick<LibraryLog, 'refuseAppends'>
  readonly commit: Pick<ReturnType<typeof createCommit>, 'elsewhere'>
  readonly onUnapplied: (what: Unapplied) => void
  /** Called when the thread meets damage. */
  readonly onDamage: (() => void) | undefined
  readonly report: (line: string) => void
  readonly write: SaveThread['write']
}

/** Stores large saves in another thread, because applying thousands of rows would block this one. Durable when it resolves. */
export function createLargeSaves({ folder, log, commit, onUnapplied, onDamage, report, write }: LargeSavePorts) {
  function take(written: WrittenSave): boolean {
    if (written.kind === 'written') {
      written.unapplied.forEach(onUnapplied)
      written.lines.forEach(report)
      return written.isAhead
    }
    const error = revived(written)
    if (error instanceof LogSyncError) log.refuseAppends(error)
    if (isDamage(error)) onDamage?.()
    throw error
  }

  return async ({ delivery, ...save }: StoredSave): Promise<void> => {
    const ready = Promise.withResolvers<void>()
    const turn = Promise.withResolvers<LoggedDelivery | null>()
    // A thread that fails before it is ready never asks for it.
    turn.promise.catch(() => undefined)
    const written = write({ folder, save }, () => (ready.resolve(), turn.promise))
    // It may fail before it is ready. Its later failures arrive below.
    await Promise.race([ready.promise, written])
    try {
      await commit.elsewhere(async () => {
        turn.resolve(delivery())
        return take(await written.catch(ended))
      })
    } catch (error) {
      // Ends a thread that still waits.
      turn.reject(error)
      throw error
    }
  }
}

function revived({ reason, code, isSyncFault, ...text }: SentError): Error {
  if (reason === null) return Object.assign(new Error(text.message), text, code !== null && { code })
  const caused = new CausedError(reason)
  return isSyncFault ? new LogSyncError(Object.assign(caused, { code })) : caused
}

function ended(error: unknown): never {
  throw new WriterEndedError(error)
}

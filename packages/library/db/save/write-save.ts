import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isStorageFault, storageCause, systemCode } from '@galley/platform'
import type { Cause } from '@galley/wire'

import { LogSyncError } from '../../log/append.ts'
import { keepDamagedLine } from '../../log/fault-file.ts'
import { openLog } from '../../log/log.ts'
import type { LoggedDelivery } from '../../records/changes.ts'
import { memberFile } from '../../team/member-file.ts'
import { createApply } from '../apply/apply.ts'
import { createCallbackMirror } from '../apply/callback-mirror.ts'
import type { Unapplied } from '../apply/lost-entries.ts'
import { createCommit } from '../commit/commit.ts'
import { openWriterLock } from '../commit/writer-lock.ts'
import { databaseFiles, openIndex } from '../database/open.ts'
import { createReferences } from '../file/references.ts'
import type { StoredSave } from './save-draft.ts'
import { draftsOfSave } from './save-draft.ts'

/** A save for another thread. */
export interface SentSave {
  /** Of the library. */
  readonly folder: string
  readonly save: Omit<StoredSave, 'delivery'>
}

/** The result. */
export type WrittenSave =
  | {
      readonly kind: 'written'
      /** The log has the save, but the index could not apply it. */
      readonly isAhead: boolean
      /** Entries of others that could not be applied. Their lines were kept. */
      readonly unapplied: readonly Omit<Unapplied, 'bytes'>[]
      readonly lines: readonly string[]
    }
  | ({ readonly kind: 'failed' } & SentError)

/** An error for another thread: messages carry neither its class nor its code. */
export interface SentError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | null
  readonly reason: Cause | null
  /** A sync of the log failed, for this reason. */
  readonly isSyncFault: boolean
}

/**
 * Writes a save to a library that another thread of this process has opened, through connections of its own. `turn` resolves
 * when it may write, to the callback of the save. Everything that needs no lock is done before.
 */
export async function writeSave(
  { folder, save }: SentSave,
  turn: () => Promise<LoggedDelivery | null>,
): Promise<WrittenSave> {
  try {
    return await writeIn(folder, save, turn)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { name, message, stack } = error
    const isSyncFault = error instanceof LogSyncError
    const reason = isSyncFault ? error.why : isStorageFault(error) ? storageCause(error) : null
    return { kind: 'failed', name, message, stack, code: systemCode(error) || null, reason, isSyncFault }
  }
}

async function writeIn(folder: string, save: SentSave['save'], turn: () => Promise<LoggedDelivery | null>) {
  const lock = openWriterLock(folder)
  const db = openIndex(databaseFiles(folder))
  try {
    const unapplied: Omit<Unapplied, 'bytes'>[] = []
    const lines: string[] = []
    const commit = createCommit({
      db,
      log: openLog(folder),
      lock,
      apply: createApply(db),
      callbacks: createCallbackMirror(db),
      onUnapplied({ bytes, ...what }) {
        keepDamagedLine(folder, { ...what, bytes })
        unapplied.push(what)
      },
      report: (line) => void lines.push(line),
      isShared: () => existsSync(join(folder, memberFile)),
      isBeside: true,
    })
    let delivery: LoggedDelivery | null = null
    const drafts = await draftsOfSave({ ...save, delivery: () => delivery }, createReferences(db, commit))
    delivery = await turn()
    commit.now(drafts)
    return { kind: 'written', isAhead: commit.isAhead(), unapplied, lines } as const
  } finally {
    db.close()
    lock.close()
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

import { openLog } from '../../log/log.ts'
import type { RebuildCause } from '../../records/library-opening.ts'
import { memberFile } from '../../team/member-file.ts'
import { databaseFiles, isDamage } from '../database/open.ts'
import { openCheckpoints } from './checkpoints.ts'
import { findState } from './findings.ts'
import { demandKnownFormat } from './library-file.ts'
import { causeToRebuild, nextStep } from './opening.ts'

/** What opening a library would find. */
export type LookedAt =
  | { readonly kind: 'absent' }
  | { readonly kind: 'sound' }
  /** Opening it rebuilds its index, or fetches what is missing from the team. `cause`: null if the index is not at fault. */
  | { readonly kind: 'to_repair'; readonly cause: RebuildCause | null }
  /** Opening it fails. */
  | { readonly kind: 'lost_log' }

/**
 * Looks at a library without a change in its folder. Reads the whole index, and of the log its end. Throws NewerLibraryError,
 * EarlierLibraryError and errors of the disk.
 */
export async function lookAtLibrary(folder: string, now: () => Date): Promise<LookedAt> {
  if (!existsSync(folder)) return { kind: 'absent' }
  demandKnownFormat(folder)
  const log = openLog(folder)
  const context = {
    folder,
    log,
    checkpoints: openCheckpoints(folder, log),
    isCopy: existsSync(join(folder, memberFile)),
    now,
  }
  const found = await findState(context, { library: null, asked: null, by: null, done: [], isLogFaulty: false })
  if (found.files === 'none') return { kind: 'absent' }
  const step = nextStep(found, [])
  if (step.startsWith('refuse')) return { kind: 'lost_log' }
  const cause = causeToRebuild(found)
  if (cause !== null || step !== 'prepare_local') return { kind: 'to_repair', cause }
  return isWhole(databaseFiles(folder).index) ? { kind: 'sound' } : { kind: 'to_repair', cause: 'damaged' }
}

function isWhole(file: string): boolean {
  const db = new BetterSqlite3(file, { readonly: true, timeout: 5000 })
  try {
    return db.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    db.close()
  }
}

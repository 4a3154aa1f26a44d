import { coalesced, faultReason } from '@galley/platform'
import type { Database } from 'better-sqlite3'

import type { IndexFiles } from '../database/open.ts'
import { openIndex } from '../database/open.ts'

/** The delay after a commit: later commits share the write-back, and their responses have been sent by then. */
const delayMs = 1000

/**
 * Writes SQLite's write-ahead log (WAL) back to the index some time after a commit. Otherwise SQLite would do it within a
 * commit and delay the response. After a large save, `elsewhere` does it in another thread, because it would block this one.
 * Stop it before closing the index, which writes everything back.
 */
export function createWriteBack(
  db: Database,
  log: (line: string) => void,
  elsewhere: (() => Promise<readonly string[]>) | null,
) {
  let isLarge = false
  let isStopped = false

  async function inThread(write: () => Promise<readonly string[]>): Promise<void> {
    try {
      for (const line of await write()) log(line)
    } catch (error) {
      // When Galley closes, it ends the thread.
      if (!isStopped) log(problem(error))
    }
  }

  const later = coalesced(delayMs, () => {
    if (isLarge && elsewhere) void inThread(elsewhere)
    else writeBackNow(db, log)
    isLarge = false
  })

  return {
    soon(isAfterLargeSave: boolean): void {
      isLarge ||= isAfterLargeSave
      later.soon()
    },
    stop(): void {
      isStopped = true
      later.stop()
    },
  }
}

/** Writes back at once, so that the WAL stops growing. */
export function writeBackNow(db: Database, log: (line: string) => void): void {
  try {
    // PASSIVE skips pages that readers still need and never waits.
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch (error) {
    // The WAL keeps its content; the next commit tries again.
    log(problem(error))
  }
}

/** The same through a connection of its own, for another thread than the one that writes. Returns lines for its log. */
export function writeIndexBack(files: IndexFiles): readonly string[] {
  const lines: string[] = []
  const db = openIndex(files)
  try {
    writeBackNow(db, (line) => void lines.push(line))
  } finally {
    db.close()
  }
  return lines
}

const problem = (error: unknown): string => `the log of the index could not be written back: ${faultReason(error)}`

export type WriteBack = ReturnType<typeof createWriteBack>

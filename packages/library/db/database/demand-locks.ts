import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

/** The file system of a folder lacks what a library needs. `code` like that of system errors, for `storageReason`. */
class UnfitFolderError extends Error {
  readonly code: 'NO_LOCKS' | 'NO_SHARED_MEMORY'
  constructor(code: UnfitFolderError['code']) {
    super(code)
    this.code = code
  }
}

/** SQLite reports locks that do not work as locks of others, or as faults of the disk. */
export const mayLackLocks = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|IOERR|PROTOCOL)/.test(error.code)

/**
 * Throws UnfitFolderError where locks or shared memory do not work, as on some network shares. Tries both in a new file that
 * no other process can hold. Other faults, such as a full disk, are left to the caller.
 */
export function demandLocks(folder: string): void {
  const file = join(folder, `.galley-probe-${randomUUID()}`)
  let db: BetterSqlite3.Database | null = null
  try {
    db = new BetterSqlite3(file, { timeout: 0 })
    db.exec('BEGIN EXCLUSIVE; ROLLBACK')
    db.pragma('journal_mode = WAL')
    db.exec('CREATE TABLE probe (id)')
  } catch (error) {
    const code = error instanceof BetterSqlite3.SqliteError ? error.code : ''
    if (/^SQLITE_IOERR_SHM(MAP|OPEN)$/.test(code)) throw new UnfitFolderError('NO_SHARED_MEMORY')
    if (/^SQLITE_(BUSY|PROTOCOL|IOERR_(\w*LOCK)$)/.test(code)) throw new UnfitFolderError('NO_LOCKS')
  } finally {
    db?.close()
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  }
}

import { closeSync, existsSync, fchmodSync, openSync, statSync, truncateSync } from 'node:fs'
import { isSystemError } from '@galley/platform'

/**
 * Creates a missing database file with access only for its owner: with SQLite's defaults, every user could read and lock it.
 * Its -wal, -shm and -journal files inherit the mode. Existing files are not opened, because closing them would release this
 * process's locks.
 */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/**
 * Creates a missing file for locks alone, and empties a damaged one, which SQLite would not lock. Emptying releases this
 * process's locks, but on a damaged file it has none.
 */
export function makeLockFile(file: string): void {
  makePrivateFile(file)
  if (statSync(file).size > 0) truncateSync(file)
}

/** Creates a missing file that every user may open and lock, whatever the umask. Links are not followed. */
export function makeSharedFile(file: string): void {
  try {
    const created = openSync(file, 'wx', 0o666)
    fchmodSync(created, 0o666)
    closeSync(created)
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EEXIST') throw error
  }
}

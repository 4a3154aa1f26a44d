import { closeSync, existsSync, openSync } from 'node:fs'

/**
 * Creates a missing database file with access only for its owner: with SQLite's defaults, every user could read and lock it.
 * Its -wal, -shm and -journal files inherit the mode. Existing files are not opened, because closing them would release this
 * process's locks.
 */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

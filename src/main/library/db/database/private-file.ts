import { closeSync, existsSync, openSync } from 'node:fs'

/**
 * Makes a database file that is not there yet, for its owner alone: SQLite itself would let everyone on the machine read
 * and lock it. Its -wal, -shm and -journal take over the mode. An existing file is not opened, because closing it would
 * drop the locks that this process holds on it.
 */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

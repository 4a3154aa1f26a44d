import { createHash, randomUUID } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

import { isSystemError } from '../disk/system-error.ts'

/** Process ids are unique only on one computer, but a public folder may be shared. */
const thisComputer = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const ours = /^\.galley-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A file that is being written changes all the time. Without changes for this long, it is abandoned. */
const abandonedAfterMs = 3_600_000

/** The name of a file that is not published yet: unique, and with the id of its process. */
export const temporaryName = (): string => `.galley-${thisComputer}-${process.pid}-${randomUUID()}`

/**
 * Deletes temporary files of killed processes: those whose process has ended, or that have not changed for an hour. Skips
 * folders that cannot be read.
 */
export async function sweepTemporaryFiles(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      const [, computer, processId] = ours.exec(name) ?? []
      if (processId === undefined) continue
      const path = join(folder, name)
      const found = await lstat(path)
      const isAbandoned = Date.now() - found.mtimeMs > abandonedAfterMs
      const isDead = computer === thisComputer && !isRunning(Number(processId))
      if (found.isFile() && (isDead || isAbandoned)) await rm(path, { force: true })
    }
  } catch (error) {
    // If the fault persists, publishing to the folder reports it.
    if (!isSystemError(error)) throw error
  }
}

/** Whether this computer has a process with this id. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // A process of another user, without permission to signal it.
    return isSystemError(error) && error.code === 'EPERM'
  }
}

import { createHash, randomUUID } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

import { isSystemError } from '../../platform/disk/system-error.ts'

/** Process ids mean something on one computer only, and a public folder may be shared by several. */
const thisComputer = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const ours = /^\.galley-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A file that is being written changes all the time; a wait of this length is an end. */
const abandonedAfterMs = 3_600_000

/** A name for a file that is not public yet: its own for each file, and one that tells who writes it. */
export const temporaryName = (): string => `.galley-${thisComputer}-${process.pid}-${randomUUID()}`

/**
 * Deletes temporary files of publishes that were killed: files with such a name whose process is gone, or that nobody has
 * written to for an hour. A folder that cannot be read keeps them.
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
    // Whoever publishes there hears of it, if it matters.
    if (!isSystemError(error)) throw error
  }
}

/** Whether some process of this computer has this id. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // A process of another user runs, and may not be asked.
    return isSystemError(error) && error.code === 'EPERM'
  }
}

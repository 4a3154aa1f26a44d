import { randomBytes, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { diskSpace } from './disk-space.ts'
import { isSystemError } from './system-error.ts'

/** Written as a trial. More would take too long. */
const trialBytes = 4 * 1024 ** 2

/**
 * Whether files of this size can be written in a folder. Tests it by writing a file, because quotas do not appear in the free
 * space. False if there is no such folder, or if it cannot be written.
 */
export async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const probe = join(folder, `.galley-probe-${randomUUID()}`)
  try {
    if ((await diskSpace(folder)).freeBytes < bytes) return false
    await writeFile(probe, randomBytes(Math.min(bytes, trialBytes)), { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  } finally {
    await rm(probe, { force: true })
  }
}

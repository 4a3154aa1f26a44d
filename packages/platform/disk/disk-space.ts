import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The space on the disk of a folder, in bytes. */
export interface DiskSpace {
  /** Space that this user may still use. */
  readonly freeBytes: number
  readonly totalBytes: number
  /** True if a large save may not fit. */
  readonly isLow: boolean
}

/** With less than this, there may be no room for a large save and its archive. */
const wantedFreeBytes = 1024 ** 3

export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  return { freeBytes, totalBytes: blocks * bsize, isLow: freeBytes < wantedFreeBytes }
}

/** Whether the disk that should hold a file has space, but no inode for it. File systems that do not count them say 0 of 0. */
export function lacksInodes(file: string | undefined): boolean {
  if (file === undefined) return false
  try {
    const { bavail, files, ffree } = statfsSync(dirname(file))
    return bavail > 0 && files > 0 && ffree === 0
  } catch {
    // There is no such folder any more.
    return false
  }
}

import { statfs } from 'node:fs/promises'

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

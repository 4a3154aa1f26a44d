import { statfs } from 'node:fs/promises'

/** Room on the disk that a folder lies on, in bytes. */
export interface DiskSpace {
  /** What this user may still write. */
  readonly freeBytes: number
  readonly totalBytes: number
  /** So little that a large save may not fit. */
  readonly isLow: boolean
}

/** Less than this, and a large save may not fit beside its archive. */
const wantedFreeBytes = 1024 ** 3

export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  return { freeBytes, totalBytes: blocks * bsize, isLow: freeBytes < wantedFreeBytes }
}

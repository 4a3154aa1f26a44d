import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small disk for a test, until it is unmounted. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves this many bytes free, rounded to the disk's block size. */
  fill(freeBytes: number): void
  /** Deletes what filled it. */
  empty(): void
  freeBytes(): number
  makeReadOnly(): void
  unmount(): void
}

/** Null if this process may not mount one. `files`: the most files and folders that it takes, whatever room is left. */
export function mountSmallDisk(megabytes: number, files = 0): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'galley-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${files}`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    rmdirSync(folder)
    return null
  }
  return {
    folder,
    fill(freeBytes) {
      // The listener writes to this disk too, and may take the room first.
      for (;;) {
        const { bavail, bsize } = statfsSync(folder)
        const bytes = bavail * bsize - Math.ceil(freeBytes / bsize) * bsize
        if (bytes <= 0) return
        try {
          writeFileSync(join(folder, 'ballast'), Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if (statfsSync(folder).bavail >= bavail) throw error
        }
      }
    },
    empty: () => rmSync(join(folder, 'ballast')),
    freeBytes() {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    },
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder], { stdio: 'ignore' }),
    unmount() {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
      rmdirSync(folder)
    },
  }
}

/** Whether `mountSmallDisk` works here. */
export function canMount(): boolean {
  const disk = mountSmallDisk(1)
  disk?.unmount()
  return disk !== null
}

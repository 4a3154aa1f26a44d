/** Describes the machine of a run, without which figures mean nothing. */

import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

import { median } from './statistics.ts'

const fileSystems = new Map([
  [0xef53, 'ext4'],
  [0x5846_5342, 'xfs'],
  [0x9123_683e, 'btrfs'],
  [0x2fc1_2fc1, 'zfs'],
  [0x794c_7630, 'overlayfs'],
  [0x0102_1994, 'tmpfs'],
])

/** One line; `folder` is that of the library under test. */
export function machineLine(folder: string): string {
  const [first] = cpus()
  const fileSystem = fileSystems.get(statfsSync(folder).type) ?? process.platform
  return (
    `${first?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB; ` +
    `${fileSystem}, one fsync ${syncMs(folder).toFixed(2)} ms; Node ${process.versions.node}`
  )
}

/** The time to sync 4 KB to this disk. Every save does it several times. */
function syncMs(folder: string): number {
  const file = join(folder, 'sync-probe')
  const fd = openSync(file, 'wx')
  const page = Buffer.alloc(4096, 1)
  try {
    return median(
      Array.from({ length: 30 }, () => {
        writeSync(fd, page)
        const start = performance.now()
        fsyncSync(fd)
        return performance.now() - start
      }),
    )
  } finally {
    closeSync(fd)
    rmSync(file)
  }
}

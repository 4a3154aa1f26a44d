/** The largest use of memory and disk of a listener while it answers. Linux only. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { isSystemError } from '../../../packages/platform/disk/system-error.ts'
import { peakMb, residentMb, resetPeak } from '../../bench/memory.ts'
import type { Listener } from './stage.ts'

const megabyte = 1024 ** 2
const sampleMs = 5

export interface Peaks {
  readonly ms: number
  /** Memory and disk above those before, in MiB. */
  readonly memoryMb: number
  readonly diskMb: number
}

/** Does `work` and measures the listener meanwhile. The peak of memory is the kernel's; that of the disk is sampled. */
export async function peaksOf<Value>(
  { processId }: Listener,
  library: string,
  work: () => Promise<Value>,
): Promise<Peaks & { readonly value: Value }> {
  const memoryBefore = residentMb(processId) ?? 0
  const diskBefore = diskMbOf(library) ?? 0
  if (!resetPeak(processId)) throw new Error('The kernel does not reset the peak of memory')
  const over = new AbortController()
  let diskMb = 0
  const sampled = (async () => {
    while (!over.signal.aborted) {
      diskMb = Math.max(diskMb, (diskMbOf(library) ?? 0) - diskBefore)
      await wait(sampleMs)
    }
  })()
  const began = performance.now()
  try {
    const value = await work()
    const ms = performance.now() - began
    return { value, ms, memoryMb: (peakMb(processId) ?? 0) - memoryBefore, diskMb }
  } finally {
    over.abort()
    await sampled
  }
}

/** The size of all files below a folder. Files that vanish meanwhile do not count; null: a folder vanished. */
function diskMbOf(folder: string): number | null {
  let bytes = 0
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const found = statSync(join(folder, name), { throwIfNoEntry: false })
      if (found?.isFile()) bytes += found.size
    }
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    throw error
  }
  return bytes / megabyte
}

/** Reads the memory figures of a process from the kernel. Linux only. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const megabyte = 1024 ** 2

function statusNumber(processId: number, field: string): number | null {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+)(?: kB)?$`, 'm').exec(
      readFileSync(`/proc/${processId}/status`, 'utf8'),
    )
    return found?.[1] === undefined ? null : Number(found[1])
  } catch {
    return null
  }
}

function statusBytes(processId: number, field: string): number | null {
  const kilobytes = statusNumber(processId, field)
  return kilobytes === null ? null : kilobytes * 1024
}

/** The current memory of the process, in MB. */
export function residentMb(processId: number): number | null {
  const bytes = statusBytes(processId, 'VmRSS')
  return bytes === null ? null : bytes / megabyte
}

/** The private memory of the process, in MB: without the program's file and shared pages. */
export function privateMb(processId: number): number | null {
  const parts = [statusBytes(processId, 'RssAnon'), statusBytes(processId, 'VmSwap')]
  return parts.includes(null) ? null : parts.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) / megabyte
}

/** The memory of the process in MB, of which it shares some with others: of that, its part. */
export function proportionalMb(processId: number): number | null {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}

/** A process with all that it started, and that these started. */
export function processTree(root: number): readonly number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const parent = statusNumber(Number(name), 'PPid')
    return parent === null ? [] : [[Number(name), parent] as const]
  })
  const tree = new Set([root])
  for (const parent of tree) for (const [child, of] of parents) if (of === parent) tree.add(child)
  return [...tree]
}

/** The peak since the last reset, in MB. */
export function peakMb(processId: number): number | null {
  const bytes = statusBytes(processId, 'VmHWM')
  return bytes === null ? null : bytes / megabyte
}

/** Resets the peak to the current value (proc(5), clear_refs). Returns false if the kernel does not allow it. */
export function resetPeak(processId: number): boolean {
  try {
    writeFileSync(`/proc/${processId}/clear_refs`, '5')
    return true
  } catch {
    return false
  }
}

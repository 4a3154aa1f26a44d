/** Reads the memory figures of a process from the kernel. Linux only. */

import { readFileSync, writeFileSync } from 'node:fs'

const megabyte = 1024 ** 2

function statusBytes(processId: number, field: string): number | null {
  try {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${processId}/status`, 'utf8'),
    )
    return kilobytes?.[1] === undefined ? null : Number(kilobytes[1]) * 1024
  } catch {
    return null
  }
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

/** Reads what a process holds in memory from the kernel; only Linux tells. */
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

/** What the process holds now, in MB. */
export function residentMb(processId: number): number | null {
  const bytes = statusBytes(processId, 'VmRSS')
  return bytes === null ? null : bytes / megabyte
}

/** What of it belongs to the process alone, in MB: without the program's own file and what is shared with others. */
export function privateMb(processId: number): number | null {
  const parts = [statusBytes(processId, 'RssAnon'), statusBytes(processId, 'VmSwap')]
  return parts.includes(null) ? null : parts.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) / megabyte
}

/** The most it has held since the last reset, in MB. */
export function peakMb(processId: number): number | null {
  const bytes = statusBytes(processId, 'VmHWM')
  return bytes === null ? null : bytes / megabyte
}

/** Lets the peak begin anew at what the process holds now (proc(5), clear_refs). False when the kernel does not. */
export function resetPeak(processId: number): boolean {
  try {
    writeFileSync(`/proc/${processId}/clear_refs`, '5')
    return true
  } catch {
    return false
  }
}

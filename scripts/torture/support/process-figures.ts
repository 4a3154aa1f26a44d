/** What the kernel says of a process. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { median } from '../../bench/statistics.ts'

const megabyte = 1024 ** 2

export const openDescriptors = (processId: number): number => readdirSync(`/proc/${processId}/fd`).length

/** Resident memory in MiB, that of all its mappings together. */
export const residentMb = (processId: number): number => mapped(processId, 'Rss')

/** The part of it that belongs to no file, in MiB: heaps, buffers and stacks, without pages of programs and databases. */
export const anonymousMb = (processId: number): number => mapped(processId, 'Anonymous')

function mapped(processId: number, name: 'Rss' | 'Anonymous'): number {
  const lines = readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8')
  const [, kilobytes = '0'] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(lines) ?? []
  return (Number(kilobytes) * 1024) / megabyte
}

/** A measured value at its moment, in minutes. */
export interface Measured {
  readonly atMinutes: number
  readonly value: number
}

/** Longer than the pauses between two collections of garbage under load. */
const windowMinutes = 0.5

/**
 * How much the value grows in a minute. Between two collections of garbage memory rises and falls by dozens of megabytes,
 * and a moment of other work holds a collection up: so only the lowest value of each window counts, and of the slopes
 * between all pairs of those the median. What is never freed lifts every one of them.
 */
export function growthOf(measured: readonly Measured[]): number {
  const lowest = new Map<number, Measured>()
  for (const one of measured) {
    const window = Math.floor(one.atMinutes / windowMinutes)
    const known = lowest.get(window)
    if (known === undefined || one.value < known.value) lowest.set(window, one)
  }
  const points = [...lowest.values()]
  return median(
    points.flatMap((one, at) =>
      points.slice(at + 1).map((other) => (other.value - one.value) / (other.atMinutes - one.atMinutes)),
    ),
  )
}

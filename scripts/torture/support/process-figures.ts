/** Figures of a process from the kernel. Linux only. */

import { readdirSync, readFileSync } from 'node:fs'

import { median } from '../../bench/statistics.ts'

const megabyte = 1024 ** 2

export const openDescriptors = (processId: number): number => readdirSync(`/proc/${processId}/fd`).length

/** Resident memory of all mappings, in MiB. */
export const residentMb = (processId: number): number => mapped(processId, 'Rss')

/** Resident memory that belongs to no file, in MiB: heaps, buffers and stacks, without programs and databases. */
export const anonymousMb = (processId: number): number => mapped(processId, 'Anonymous')

function mapped(processId: number, name: 'Rss' | 'Anonymous'): number {
  const lines = readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8')
  const [, kilobytes = '0'] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(lines) ?? []
  return (Number(kilobytes) * 1024) / megabyte
}

/** A measured value and its time, in minutes. */
export interface Measured {
  readonly atMinutes: number
  readonly value: number
}

/** Longer than the interval between two garbage collections under load. */
const windowMinutes = 0.5

/**
 * The growth of the value per minute. Memory varies by dozens of megabytes between two garbage collections, and other work
 * can delay a collection. So only the lowest value of each window counts, and the result is the median of the slopes between
 * all pairs. Memory that is never freed raises all of them.
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

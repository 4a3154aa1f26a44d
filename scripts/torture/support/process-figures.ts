/** What the kernel says of a process. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const megabyte = 1024 ** 2

export const openDescriptors = (processId: number): number => readdirSync(`/proc/${processId}/fd`).length

/** Resident memory in MiB, that of all its mappings together. */
export function residentMb(processId: number): number {
  const [, kilobytes = '0'] = /^Rss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / megabyte
}

/** A measured value at its moment, in minutes. */
export interface Measured {
  readonly atMinutes: number
  readonly value: number
}

/** How much the value grows in a minute, by least squares. */
export function slopeOf(measured: readonly Measured[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [atMean, valueMean] = [mean(measured.map((one) => one.atMinutes)), mean(measured.map((one) => one.value))]
  const above = measured.reduce((sum, one) => sum + (one.atMinutes - atMean) * (one.value - valueMean), 0)
  return above / measured.reduce((sum, one) => sum + (one.atMinutes - atMean) ** 2, 0)
}

/** Sums up how the time of several saves was spent. */

import type { Answered } from './listener.ts'
import type { Accepted } from './stage.ts'
import { median, onALine } from './statistics.ts'

/** The median of every step, in order, and of the time outside of all steps: HTTP on both sides. */
export function stepsLine(runs: readonly Answered[]): string {
  const names = [...new Set(runs.flatMap(({ steps }) => steps.map(({ name }) => name)))]
  const of = (name: string): number =>
    median(runs.map(({ steps }) => steps.filter((step) => step.name === name).reduce((sum, { ms }) => sum + ms, 0)))
  const outside = median(runs.map(({ ms, steps }) => ms - steps.reduce((sum, step) => sum + step.ms, 0)))
  return [...names.map((name) => `${name} ${of(name).toFixed(1)}`), `rest ${outside.toFixed(1)}`].join(', ') + ' ms'
}

/** The longest stall of each save. An outlier among them may have another program as its cause. */
export const stallsLine = (runs: readonly Accepted[]): string => onALine(runs.map(({ stallMs }) => stallMs))

export const longestStallMs = (runs: readonly Accepted[]): number => Math.max(...runs.map(({ stallMs }) => stallMs))

/** Sums up where the time of several saves went. */
import type { Answered } from './listener.ts'
import type { Accepted } from './stage.ts'
import { median, onALine } from './statistics.ts'

/** The median of every step, in order, and of what lies outside of them: HTTP on both sides. */
export function stepsLine(runs: readonly Answered[]): string {
  const names = [...new Set(runs.flatMap(({ steps }) => steps.map(({ name }) => name)))]
  const of = (name: string): number =>
    median(runs.map(({ steps }) => steps.filter((step) => step.name === name).reduce((sum, { ms }) => sum + ms, 0)))
  const outside = median(runs.map(({ ms, steps }) => ms - steps.reduce((sum, step) => sum + step.ms, 0)))
  return [...names.map((name) => `${name} ${of(name).toFixed(1)}`), `rest ${outside.toFixed(1)}`].join(', ') + ' ms'
}

/** The longest stall of each save: one that stands out among them is as likely another program's doing. */
export const stallsLine = (runs: readonly Accepted[]): string => onALine(runs.map(({ stallMs }) => stallMs))

export const longestStallMs = (runs: readonly Accepted[]): number => Math.max(...runs.map(({ stallMs }) => stallMs))

import type { Step } from '../../../contract/callback-record.ts'

/** One bar: where it starts and how long it is, in percent of the whole. */
export interface Bar extends Step {
  readonly startPercent: number
  readonly widthPercent: number
  readonly isSlowest: boolean
}

export const totalMs = (steps: readonly Step[]): number => steps.reduce((sum, step) => sum + step.ms, 0)

/** Steps follow each other, so each bar starts where the one before it ended; the slowest is marked, if it stands out. */
export function waterfall(steps: readonly Step[]): readonly Bar[] {
  const whole = totalMs(steps)
  const slowestMs = Math.max(...steps.map((step) => step.ms), 0)
  let passedMs = 0
  return steps.map((step) => {
    const startPercent = whole === 0 ? 0 : (passedMs / whole) * 100
    passedMs += step.ms
    const widthPercent = whole === 0 ? 0 : (step.ms / whole) * 100
    return { ...step, startPercent, widthPercent, isSlowest: steps.length > 1 && step.ms === slowestMs && step.ms > 0 }
  })
}

import type { Step } from '../../../contract/domain/callback-record.ts'

/** One bar: where it starts and how long it is, in percent of the axis. */
export interface Bar extends Step {
  readonly startPercent: number
  readonly widthPercent: number
  readonly isSlowest: boolean
}

export interface Waterfall {
  readonly bars: readonly Bar[]
  /** Where the time budget ends, in percent of the axis; null while that is far out of sight. */
  readonly budgetPercent: number | null
}

/** From this share of the budget on, its end is in sight: on a shorter axis a save of 6 ms would have no bars. */
const sightShare = 0.25

/** From this share of the whole on, and from a millisecond on, what no step accounts for is shown. */
const restShare = 0.05

/** The time of a callback that none of its steps took, as a step of its own: the steps then take as long as the callback did. */
export function withRest(steps: readonly Step[], totalMs: number): readonly Step[] {
  const restMs = totalMs - steps.reduce((sum, { ms }) => sum + ms, 0)
  return steps.length > 0 && restMs >= Math.max(1, totalMs * restShare)
    ? [...steps, { name: 'other', ms: restMs }]
    : steps
}

/** Steps follow each other, so each bar starts where the one before it ended; the slowest is marked, if it stands out. */
export function waterfall(steps: readonly Step[], budgetMs: number): Waterfall {
  const wholeMs = steps.reduce((sum, { ms }) => sum + ms, 0)
  const isInSight = wholeMs >= budgetMs * sightShare
  const axisMs = isInSight ? Math.max(wholeMs, budgetMs) : wholeMs
  const percentOf = (ms: number): number => (axisMs === 0 ? 0 : (ms / axisMs) * 100)
  const slowestMs = Math.max(...steps.map(({ ms }) => ms), 0)
  let passedMs = 0
  const bars = steps.map((step): Bar => {
    const startPercent = percentOf(passedMs)
    passedMs += step.ms
    const isSlowest = steps.length > 1 && step.ms === slowestMs && step.ms > 0
    return { ...step, startPercent, widthPercent: percentOf(step.ms), isSlowest }
  })
  return { bars, budgetPercent: isInSight ? percentOf(budgetMs) : null }
}

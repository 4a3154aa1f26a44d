import type { Step } from '@galley/wire'

/** A bar's start and length in percent of the axis. */
export interface Bar extends Step {
  readonly startPercent: number
  readonly widthPercent: number
  readonly isSlowest: boolean
}

export interface Waterfall {
  readonly bars: readonly Bar[]
  /** The end of the time budget in percent of the axis; null while out of range. */
  readonly budgetPercent: number | null
}

/**
 * From this share of the budget on, the axis includes its end; including it sooner would leave a 6 ms save without
 * visible bars.
 */
const budgetVisibleShare = 0.25

/** Unaccounted time is shown if it is at least this share of the total and at least a millisecond. */
const unaccountedShare = 0.05

/** Adds the time that no step accounts for as a separate step, so that the steps sum up to the total. */
export function withUnaccounted(steps: readonly Step[], totalMs: number): readonly Step[] {
  const restMs = totalMs - steps.reduce((sum, { ms }) => sum + ms, 0)
  return steps.length > 0 && restMs >= Math.max(1, totalMs * unaccountedShare)
    ? [...steps, { name: 'other', ms: restMs }]
    : steps
}

/** Lays out consecutive steps as bars; marks the slowest if it stands out. */
export function waterfall(steps: readonly Step[], budgetMs: number): Waterfall {
  const wholeMs = steps.reduce((sum, { ms }) => sum + ms, 0)
  const isBudgetShown = wholeMs >= budgetMs * budgetVisibleShare
  const axisMs = isBudgetShown ? Math.max(wholeMs, budgetMs) : wholeMs
  const percentOf = (ms: number): number => (axisMs === 0 ? 0 : (ms / axisMs) * 100)
  const slowestMs = Math.max(...steps.map(({ ms }) => ms), 0)
  let elapsedMs = 0
  const bars = steps.map((step): Bar => {
    const startPercent = percentOf(elapsedMs)
    elapsedMs += step.ms
    const isSlowest = steps.length > 1 && step.ms === slowestMs && step.ms > 0
    return { ...step, startPercent, widthPercent: percentOf(step.ms), isSlowest }
  })
  return { bars, budgetPercent: isBudgetShown ? percentOf(budgetMs) : null }
}

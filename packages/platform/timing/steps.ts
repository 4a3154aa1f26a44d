import type { Step } from '@galley/wire'

/** The waterfall of a job: its steps in order, with their durations. */
export interface Steps {
  /** Runs a step and records its duration, even if it throws. */
  time<Value>(name: string, action: () => Value | Promise<Value>): Promise<Value>
  add(steps: readonly Step[]): void
  list(): readonly Step[]
}

/** A step from this value of `performance.now()` until now. */
export const step = (name: string, startedMs: number): Step => ({
  name,
  ms: Math.round((performance.now() - startedMs) * 10) / 10,
})

export function recordSteps(): Steps {
  const steps: Step[] = []
  return {
    async time(name, action) {
      const start = performance.now()
      try {
        return await action()
      } finally {
        steps.push(step(name, start))
      }
    },
    add: (more) => void steps.push(...more),
    list: () => steps,
  }
}

/** Steps measured in another thread, preceded by the waiting time: the start of the thread, or the wait for a free one. */
export function withWait(startedMs: number, steps: readonly Step[]): readonly Step[] {
  const { name, ms } = step('thread', startedMs + steps.reduce((sum, each) => sum + each.ms, 0))
  return [{ name, ms: Math.max(0, ms) }, ...steps]
}

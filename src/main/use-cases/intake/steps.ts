import type { Step } from '../../../contract/domain/callback-record.ts'

/** The waterfall of one callback: what was done, in order, and how long it took. */
export interface Steps {
  /** Runs one step and notes its time, also when it throws. */
  time<Value>(name: string, action: () => Value | Promise<Value>): Promise<Value>
  add(steps: readonly Step[]): void
  list(): readonly Step[]
}

/** A step that began at this reading of `performance.now()` and ends now. */
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

/** What another thread measured, after the time that went by outside of it: its start, or the wait for a free one. */
export function withWait(startedMs: number, steps: readonly Step[]): readonly Step[] {
  const { name, ms } = step('thread', startedMs + steps.reduce((sum, each) => sum + each.ms, 0))
  return [{ name, ms: Math.max(0, ms) }, ...steps]
}

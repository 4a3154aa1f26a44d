import type { Step } from '../../contract/callback-record.ts'

/** The waterfall of one callback: what was done, in order, and how long it took. */
export interface Steps {
  /** Runs one step and notes its time, also when it throws. */
  time<Value>(name: string, action: () => Value | Promise<Value>): Promise<Value>
  add(steps: readonly Step[]): void
  list(): readonly Step[]
}

export function recordSteps(): Steps {
  const steps: Step[] = []
  return {
    async time(name, action) {
      const start = performance.now()
      try {
        return await action()
      } finally {
        steps.push({ name, ms: Math.round((performance.now() - start) * 10) / 10 })
      }
    },
    add: (more) => void steps.push(...more),
    list: () => steps,
  }
}

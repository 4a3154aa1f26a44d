/**
 * Runs jobs in order of arrival: one at a time for each key, at most `maxRunning` in total, at most `maxWaiting` waiting.
 * `run` returns null without starting the job if the queue is full.
 */
export function createQueue({ maxRunning, maxWaiting }: { readonly maxRunning: number; readonly maxWaiting: number }) {
  const waiting: { readonly key: string; readonly start: () => void }[] = []
  const busyKeys = new Set<string>()
  const onIdle: (() => void)[] = []

  const startNext = () => {
    if (busyKeys.size >= maxRunning) return
    const next = waiting.findIndex(({ key }) => !busyKeys.has(key))
    const [entry] = next < 0 ? [] : waiting.splice(next, 1)
    if (!entry) return
    busyKeys.add(entry.key)
    entry.start()
    startNext()
  }

  return {
    run<Value>(key: string, job: () => Promise<Value>): Promise<Value> | null {
      const mustWait = busyKeys.size >= maxRunning || busyKeys.has(key)
      if (mustWait && waiting.length >= maxWaiting) return null
      return new Promise<Value>((resolve, reject) => {
        const start = () => {
          void job()
            .then(resolve, reject)
            .finally(() => {
              busyKeys.delete(key)
              startNext()
              if (busyKeys.size > 0) return
              for (const resolveIdle of onIdle.splice(0)) resolveIdle()
            })
        }
        waiting.push({ key, start })
        startNext()
      })
    },
    /** Resolves when no job runs or waits. */
    idle: (): Promise<void> =>
      busyKeys.size === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve)),
  }
}

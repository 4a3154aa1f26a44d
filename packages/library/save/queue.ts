import type { SiteId } from '@galley/wire'

export interface QueueLimits {
  readonly maxRunning: number
  readonly maxWaiting: number
  /** What each site may run and queue even if other sites have taken all common places. */
  readonly ownRunning: number
  readonly ownWaiting: number
}

interface Job {
  readonly site: SiteId
  readonly key: string
  readonly start: () => void
}

/**
 * Runs jobs in order of arrival, one at a time for each key of a site, and sites with few running jobs first. A site may use
 * everything while the others are idle, but cannot block them: each has a few places of its own beyond the common limits.
 * `run` returns null without starting the job if its site may not let more jobs wait.
 */
export function createQueue({ maxRunning, maxWaiting, ownRunning, ownWaiting }: QueueLimits) {
  const running = new Set<Job>()
  const waiting: Job[] = []
  let beside = 0
  const onIdle: (() => void)[] = []

  const runningOf = (site: SiteId) => countOf(running, site)
  const mayStart = ({ site, key }: Pick<Job, 'site' | 'key'>): boolean =>
    (running.size < maxRunning || runningOf(site) < ownRunning) &&
    !Array.from(running).some((job) => job.site === site && job.key === key)

  const startNext = (): void => {
    const [next] = waiting.filter(mayStart).toSorted((a, b) => runningOf(a.site) - runningOf(b.site))
    if (!next) return
    waiting.splice(waiting.indexOf(next), 1)
    running.add(next)
    next.start()
    startNext()
  }

  const notifyIfIdle = (): void => {
    if (running.size + beside > 0) return
    for (const resolve of onIdle.splice(0)) resolve()
  }

  return {
    run<Value>(site: SiteId, key: string, work: (hasWaited: boolean) => Promise<Value>): Promise<Value> | null {
      const isFull = waiting.length >= maxWaiting && countOf(waiting, site) >= ownWaiting
      if (isFull && !mayStart({ site, key })) return null
      return new Promise<Value>((resolve, reject) => {
        let hasWaited = false
        const start = (): void => {
          void work(hasWaited)
            .then(resolve, reject)
            .finally(() => {
              running.delete(job)
              startNext()
              notifyIfIdle()
            })
        }
        const job = { site, key, start }
        waiting.push(job)
        startNext()
        hasWaited = true
      })
    },
    /** Runs a job now, regardless of the limits. */
    async runNow<Value>(work: () => Promise<Value>): Promise<Value> {
      beside += 1
      try {
        return await work()
      } finally {
        beside -= 1
        notifyIfIdle()
      }
    },
    /** Resolves when no job runs or waits. */
    idle: (): Promise<void> =>
      running.size + beside === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve)),
  }
}

function countOf(jobs: Iterable<Job>, site: SiteId): number {
  let count = 0
  for (const job of jobs) if (job.site === site) count += 1
  return count
}

import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { LifeCycle } from './life-cycle.ts'
import type { Place } from './serving.ts'

/**
 * Who wants the listener, and where: a person, until it is stopped or does not start, and probes, for as long as they take.
 * Probes that run at the same time share the borrowed listener; the last one stops it.
 */
export function createProbeLoans(lifeCycle: Pick<LifeCycle, 'launch' | 'stop' | 'isRunning' | 'isIdle'>) {
  /** Where a person wants it to listen. */
  let wanted: Place | null = null
  /** Where it listens for probes alone. */
  let lent: Place | null = null
  let probes = 0

  /** Becomes the owner of the library and serves it; the state says how that went. */
  async function start(host: string, port: number): Promise<ListenerState> {
    if (lifeCycle.isIdle()) lent = null
    wanted = { host, port }
    try {
      return await lifeCycle.launch({ host, port })
    } finally {
      if (!lifeCycle.isRunning()) wanted = null
    }
  }

  /** Waits for saves under way; from then on none is taken until it is started again. */
  function stop(): Promise<void> {
    lent = null
    wanted = null
    return lifeCycle.stop()
  }

  /** Stops the listener that was started for probes. If a person has started it since, it goes on at the address they wanted. */
  async function giveBack(): Promise<void> {
    const at = lent
    const wish = wanted
    lent = null
    if (at === null || (wish?.host === at.host && wish.port === at.port)) return
    await stop()
    if (wish !== null) await start(wish.host, wish.port)
  }

  return {
    start,
    stop,
    /** Starts it, where it does not run, for as long as probes take. */
    borrow(host: string, port: number): Promise<ListenerState> {
      if (lifeCycle.isIdle()) lent = { host, port }
      return lifeCycle.launch({ host, port })
    },
    async whileProbing<Value>(probe: () => Promise<Value>): Promise<Value> {
      probes += 1
      try {
        return await probe()
      } finally {
        probes -= 1
        if (probes === 0) await giveBack()
      }
    },
  }
}

import type { ListenerState } from '../records/listener-state.ts'
import type { ListenAddress } from './serving.ts'

interface LifeCycle {
  launch(at: ListenAddress): Promise<ListenerState>
  stop(): Promise<void>
  isRunning(): boolean
  isIdle(): boolean
}

/**
 * Decides when and where to listen: for the user until stopped or a failed start, and for probes while they run. Concurrent
 * probes share the temporary listener; the last one stops it.
 */
export function createProbeListener(lifeCycle: LifeCycle) {
  /** The address that the user has requested. */
  let wanted: ListenAddress | null = null
  /** The address of a listener that runs only for probes. */
  let temporary: ListenAddress | null = null
  let probes = 0

  /** Takes ownership of the library and serves it. The returned state has the result. */
  async function start(host: string, port: number): Promise<ListenerState> {
    if (lifeCycle.isIdle()) temporary = null
    wanted = { host, port }
    try {
      return await lifeCycle.launch({ host, port })
    } finally {
      if (!lifeCycle.isRunning()) wanted = null
    }
  }

  /** Waits for running saves. Accepts no more until the listener is started again. */
  function stop(): Promise<void> {
    temporary = null
    wanted = null
    return lifeCycle.stop()
  }

  /** Stops the temporary listener. If the user has started it in the meantime, it continues at their address. */
  async function stopTemporary(): Promise<void> {
    const at = temporary
    const requested = wanted
    temporary = null
    if (at === null || (requested?.host === at.host && requested.port === at.port)) return
    await stop()
    if (requested !== null) await start(requested.host, requested.port)
  }

  return {
    start,
    stop,
    /** Starts the listener, if it is not running, for the duration of a probe. */
    borrow(host: string, port: number): Promise<ListenerState> {
      if (lifeCycle.isIdle()) temporary = { host, port }
      return lifeCycle.launch({ host, port })
    },
    async whileProbing<Value>(probe: () => Promise<Value>): Promise<Value> {
      probes += 1
      try {
        return await probe()
      } finally {
        probes -= 1
        if (probes === 0) await stopTemporary()
      }
    },
  }
}

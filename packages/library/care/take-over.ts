import type { Owner } from '../db/owner.ts'
import type { ListenerState } from '../records/listener-state.ts'

const checkIntervalMs = 2_000

interface Watched {
  state(): ListenerState
  /** The current owner of the library: this process or another one. */
  owner(): Owner | null
}

/** Whether the owner named in the state has ended or changed. */
export function isOutdated({ state, owner }: Watched): boolean {
  const recorded = state()
  if (recorded.kind !== 'elsewhere') return false
  const now = owner()
  return now?.processId !== recorded.processId || now.url !== recorded.url
}

/**
 * Starts the listener when the process that owned the library has ended, until the returned function is called. If a third
 * process was first, updates the state.
 */
export function takeOverWhenFree(listener: Watched, startListener: () => Promise<unknown>): () => void {
  const timer = setInterval(() => {
    if (isOutdated(listener)) void startListener()
  }, checkIntervalMs).unref()
  return () => clearInterval(timer)
}

import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { Owner } from '../../library/db/owner.ts'

const lookEveryMs = 2_000

interface Watched {
  state(): ListenerState
  /** The process that serves the library right now, this one or another. */
  owner(): Owner | null
}

/** True when the process that the state names as the owner has ended or been replaced. */
export function isOutdated({ state, owner }: Watched): boolean {
  const told = state()
  if (told.kind !== 'elsewhere') return false
  const now = owner()
  return now?.processId !== told.processId || now.url !== told.url
}

/**
 * Serves the library as soon as the process that did has ended, until the returned function is called; where a third one
 * was quicker, the state names that.
 */
export function takeOverWhenFree(listener: Watched, startListener: () => Promise<unknown>): () => void {
  const timer = setInterval(() => {
    if (isOutdated(listener)) void startListener()
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

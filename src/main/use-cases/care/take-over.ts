import type { Galley } from '../../galley.ts'

const lookEveryMs = 2_000

type Watched = Pick<Galley, 'listenerState' | 'owner'>

/** Whether what the state says of another process holds no more: it has ended, or a third one has taken its place. */
export function isOutdated({ listenerState, owner }: Watched): boolean {
  const told = listenerState()
  if (told.kind !== 'elsewhere') return false
  const now = owner()
  return now?.processId !== told.processId || now.url !== told.url
}

/**
 * Serves the library as soon as the process that did has ended, until the returned function is called; where a third one
 * was quicker, the state names that.
 */
export function takeOverWhenFree(galley: Watched, startListener: () => Promise<unknown>): () => void {
  const timer = setInterval(() => {
    if (isOutdated(galley)) void startListener()
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

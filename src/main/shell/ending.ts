import type { App } from 'electron'

import { faultPlace } from '../fault-place.ts'
import { within } from '../within.ts'

/**
 * Longer than a save under way is given. Whatever does not end by then, as a backup onto a disk that is gone, is left as a
 * power cut would leave it: nothing was promised of it, and the next start checks the library.
 */
const endsWithinMs = 15_000

export interface Ending {
  /** Whether the app is to end: what has not begun by then never does. */
  readonly hasBegun: () => boolean
  /** Stops something as soon as the app is to end, while its windows still stand. */
  readonly stopFirst: (...stops: readonly (() => void)[]) => void
  /** What the process waits for when the windows are gone: it resolves when nothing is left that must not be cut off. */
  readonly closeLast: (close: () => Promise<unknown>) => void
}

interface Edges {
  readonly app: Pick<App, 'on' | 'quit' | 'exit' | 'relaunch'>
  readonly signals: Pick<NodeJS.Process, 'on'>
  readonly log: (line: string) => void
}

/**
 * Lets the app end once, however often and by whom it is asked to: first what is under way, then the process. To be called
 * when the app is ready: that is when Electron takes the signals to itself, the second of which ends the process at once.
 */
export function createEnding({ app, signals, log }: Edges): Ending {
  const stops: (() => void)[] = []
  let close: () => Promise<unknown> = () => Promise.resolve()
  let hasBegun = false
  let isClosing = false

  app.on('before-quit', () => {
    hasBegun = true
    for (const stop of stops.splice(0)) stop()
  })
  app.on('will-quit', (event) => {
    event.preventDefault()
    // Who asks again must not cut off what the first one waits for.
    if (isClosing) return
    isClosing = true
    const closed = close().catch((error: unknown) => log(`the library was not closed: ${faultPlace(error)}`))
    // Not quit: that would come by here again.
    void within(endsWithinMs, closed, undefined).finally(() => app.exit())
  })
  // There is no window any more that could come to the front.
  app.on('second-instance', () => {
    if (hasBegun) app.relaunch()
  })
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) signals.on(signal, () => app.quit())

  return {
    hasBegun: () => hasBegun,
    stopFirst: (...more) => void stops.push(...more),
    closeLast: (last) => (close = last),
  }
}

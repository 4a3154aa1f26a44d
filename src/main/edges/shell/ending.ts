import type { App } from 'electron'

import { faultPlace } from '../../../contract/domain/fault-place.ts'
import { within } from '../../platform/timing/within.ts'

/**
 * Longer than a save under way is given. Whatever does not end by then, as a backup onto a disk that is gone, is left as a
 * power cut would leave it: nothing was promised of it, and the next start checks the library.
 */
const endsWithinMs = 15_000

/** Asks a person whether the app is to end; false: it goes on. */
export type AskFirst = () => Promise<boolean>

export interface Ending {
  /** Whether the app is to end: what has not begun by then never does. */
  readonly hasBegun: () => boolean
  /** Ends the app without asking anybody. */
  readonly end: () => void
  /** `find` gives what a quit has to ask at the time, null where nobody would miss anything; signals are never asked. */
  readonly askFirst: (find: () => AskFirst | null) => void
  /** Whether a quit would ask now. */
  readonly wouldAsk: () => boolean
  /** Asks where there is something to ask; true: the app may end, and the quit that follows asks no more. */
  readonly agree: () => Promise<boolean>
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
  let find: () => AskFirst | null = () => null
  let isAgreed = false
  let asked: Promise<boolean> | null = null

  const question = (): AskFirst | null => (isAgreed || hasBegun ? null : find())
  async function agree(): Promise<boolean> {
    // Whoever quits again meanwhile is asked by the same dialog.
    asked ??= (question() ?? (() => Promise.resolve(true)))().finally(() => (asked = null))
    isAgreed = (await asked) || isAgreed
    return isAgreed
  }
  const end = (): void => {
    isAgreed = true
    app.quit()
  }

  app.on('before-quit', (event) => {
    if (question() !== null) {
      event.preventDefault()
      if (asked === null) void agree().then((isMeant) => isMeant && app.quit())
      return
    }
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
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) signals.on(signal, end)

  return {
    hasBegun: () => hasBegun,
    end,
    askFirst: (given) => void (find = given),
    wouldAsk: () => question() !== null,
    agree,
    stopFirst: (...more) => void stops.push(...more),
    closeLast: (last) => (close = last),
  }
}

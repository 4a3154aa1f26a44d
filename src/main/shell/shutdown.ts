import { withTimeLimit } from '@galley/platform'
import { describeFault } from '@galley/wire'
import type { App } from 'electron'

/**
 * Longer than the time limit for running saves. Work that takes longer, such as a backup to a disconnected disk, is aborted
 * as in a power failure: it was not acknowledged, and the next start checks the library.
 */
const shutdownLimitMs = 15_000

/** Asks a person whether to quit; false: the app keeps running. */
export type ConfirmQuit = () => Promise<boolean>

export interface Shutdown {
  /** Whether the app is quitting: no new work may start. */
  readonly hasBegun: () => boolean
  /** Quits without asking. */
  readonly quit: () => void
  /** `find` returns the question for a quit, or null if no work would be lost. Signals never ask. */
  readonly askFirst: (find: () => ConfirmQuit | null) => void
  /** Whether quitting would show a question now. */
  readonly wouldAsk: () => boolean
  /** Asks if needed. Returns true if the app may quit; the following quit does not ask again. */
  readonly confirm: () => Promise<boolean>
  /** Stops something as soon as the app quits, before its windows close. */
  readonly stopFirst: (...stops: readonly (() => void)[]) => void
  /**
   * The process waits for this after the windows are closed: resolves when nothing is running that must not be interrupted.
   */
  readonly closeLast: (close: () => Promise<unknown>) => void
}

interface Edges {
  readonly app: Pick<App, 'on' | 'quit' | 'exit' | 'relaunch'>
  readonly signals: Pick<NodeJS.Process, 'on'>
  readonly log: (line: string) => void
}

/**
 * Quits the app once, however often it is requested: first stops running work, then ends the process. Call it when the app
 * is ready: then Electron installs its signal handlers, and a second signal ends the process at once.
 */
export function createShutdown({ app, signals, log }: Edges): Shutdown {
  const stops: (() => void)[] = []
  let close: () => Promise<unknown> = () => Promise.resolve()
  let hasBegun = false
  let isClosing = false
  let find: () => ConfirmQuit | null = () => null
  let isAgreed = false
  let asked: Promise<boolean> | null = null

  const question = (): ConfirmQuit | null => (isAgreed || hasBegun ? null : find())
  async function agree(): Promise<boolean> {
    // A second quit shares the open dialog.
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
    // A second quit must not interrupt what the first one waits for.
    if (isClosing) return
    isClosing = true
    const closed = close().catch((error: unknown) => log(`the library was not closed: ${describeFault(error)}`))
    // Not quit, which would run this handler again.
    void withTimeLimit(shutdownLimitMs, closed, undefined).finally(() => app.exit())
  })
  // There is no window left to focus.
  app.on('second-instance', () => {
    if (hasBegun) app.relaunch()
  })
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) signals.on(signal, end)

  return {
    hasBegun: () => hasBegun,
    quit: end,
    askFirst: (given) => void (find = given),
    wouldAsk: () => question() !== null,
    confirm: agree,
    stopFirst: (...more) => void stops.push(...more),
    closeLast: (last) => (close = last),
  }
}

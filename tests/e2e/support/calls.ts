import type { ElectronApplication, Page } from 'playwright'

import type { AnswerOf } from '../../../src/ipc/call.ts'
import type { Calls } from '../../../src/ipc/calls.ts'

/** The results of window calls, by name. */
export type Disturbed = {
  readonly [Name in keyof Calls]?:
    | 'fails'
    | 'waits'
    | { readonly answers: AnswerOf<Calls[Name]> }
    /** The usual answer with these members replaced. */
    | { readonly over: Partial<Extract<AnswerOf<Calls[Name]>, object>> }
}

type Wanted = string | { readonly answers: unknown } | { readonly over: object }

/**
 * Makes calls of the window fail like a fault of main, wait, or get this answer. The returned function answers waiting
 * calls and restores the normal behaviour.
 */
export async function disturbCalls(app: ElectronApplication, calls: Disturbed): Promise<() => Promise<void>> {
  await app.evaluate(
    ({ ipcMain }, calls: Readonly<Record<string, Wanted>>) => {
      type Handler = (event: unknown, name: string, input: unknown) => Promise<unknown>
      const channel = 'galley:call'
      // Electron keeps its handlers here; registered ones are not accessible in any other way.
      const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> }
      const usual = handlers.get(channel)
      if (usual === undefined) throw new Error('Nothing answers the window')
      const over = Promise.withResolvers<void>()
      handlers.set(channel, async (event, name, input) => {
        const wanted = calls[name]
        if (wanted === 'fails') throw new Error('disturbed')
        if (wanted === 'waits') await over.promise
        if (typeof wanted === 'object' && 'answers' in wanted) return wanted.answers
        const answer = await usual(event, name, input)
        return typeof wanted === 'object' ? { ...(answer as object), ...wanted.over } : answer
      })
      Object.assign(globalThis, {
        endDisturbance: () => {
          handlers.set(channel, usual)
          over.resolve()
        },
      })
    },
    calls as Readonly<Record<string, Wanted>>,
  )
  const end = () => app.evaluate(() => (globalThis as unknown as { endDisturbance(): void }).endDisturbance())
  // The inspector may lose the answer of a call that ran; ending twice is the same as once.
  return () =>
    end().catch((error: unknown) => (/garbage collected/.test(String(error)) ? end() : Promise.reject(error)))
}

/**
 * Disconnects only this page from the network, until the returned function is called. Disconnecting all pages would
 * fail if a thumbnail window closes meanwhile.
 */
export async function goOffline(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const set = (offline: boolean) =>
    session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
  await set(true)
  return async () => {
    await set(false)
    await session.detach()
  }
}

import { describeFault } from '@galley/wire'
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import type { z } from 'zod'

import type { CallTable, HandlersOf } from '../../ipc/call.ts'
import type { Events } from '../../ipc/calls.ts'
import { callChannel, pushChannel } from '../../ipc/channels.ts'

/** The message that the window gets for a bug. The details are only in the log. */
export const internalErrorText =
  'Galley could not finish this because of an internal error. Stored versions are unchanged. Try again.'

/** The calls, with what answers them. */
export interface Served<Calls extends CallTable> {
  readonly calls: Calls
  /** Called for each request, which waits while the library opens. */
  readonly handlers: () => HandlersOf<Calls> | Promise<HandlersOf<Calls>>
}

/** The dependencies of `serve`, passed in so that its checks can be tested without Electron. */
export interface ServeOptions<Calls extends CallTable> {
  /** Of all windows, or of one window. */
  readonly ipcMain: Pick<IpcMain, 'handle'>
  /** Calls that arrive earlier wait for it. */
  readonly served: Served<Calls> | Promise<Served<Calls>>
  readonly isTrusted: (event: IpcMainInvokeEvent) => boolean
  readonly log: (line: string) => void
}

/** The names of invalid members. Deeper keys and values are omitted: they may be text typed into a secret field. */
const invalidPaths = (issues: readonly { readonly path: readonly PropertyKey[] }[]): string =>
  [...new Set(issues.map(({ path }) => String(path[0] ?? 'top')))].slice(0, 5).join(', ')

const isCallOf = <Calls extends CallTable>(calls: Calls, name: unknown): name is keyof Calls & string =>
  typeof name === 'string' && Object.hasOwn(calls, name)

/** Handles every call of the window. Checks the sender, the name and the input in one place for all calls. */
export function serve<Calls extends CallTable>({ ipcMain, served, isTrusted, log }: ServeOptions<Calls>): void {
  ipcMain.handle(callChannel, async (event, name: unknown, input: unknown): Promise<unknown> => {
    if (!isTrusted(event)) {
      log('a call from outside the window was refused')
      throw new Error('Only the windows of Galley can make calls.')
    }
    const { calls, handlers } = await served
    if (!isCallOf(calls, name)) {
      log('a call with an unknown name was refused')
      throw new Error('Galley does not have this call.')
    }
    const parsed = (calls[name] as z.ZodType).safeParse(input)
    if (!parsed.success) {
      log(`${name}: input refused at ${invalidPaths(parsed.error.issues)}`)
      throw new Error('Galley cannot use this input.')
    }
    try {
      // The table ties each input to its handler. TypeScript cannot infer that from a computed name.
      const handler = (await handlers())[name] as (checked: unknown) => unknown
      return await handler(parsed.data)
    } catch (error) {
      // The window was closed, so nothing waits for the answer.
      if (event.sender.isDestroyed()) return undefined
      log(`${name}: ${describeFault(error)}`)
      // No cause: it would carry the message across.
      // oxlint-disable-next-line preserve-caught-error
      throw new Error(internalErrorText)
    }
  })
}

/** Sends an event to every open window of the app. */
export type Push<Pushed = Events> = <Name extends keyof Pushed & string>(name: Name, event: Pushed[Name]) => void

export function createPush<Pushed = Events>(
  windows: () => readonly Pick<WebContents, 'send' | 'isDestroyed'>[],
): Push<Pushed> {
  return (name, event) => {
    for (const contents of windows()) if (!contents.isDestroyed()) contents.send(pushChannel, name, event)
  }
}

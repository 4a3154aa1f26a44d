import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'

import { callInputs } from '../../contract/ipc.ts'
import type { Calls, Events, Handlers } from '../../contract/ipc.ts'

// The two channels of the app; `preload/index.ts` holds the other end of both.
const callChannel = 'galley:call'
const pushChannel = 'galley:push'

/** What the window is told about a fault of ours; the details are in the log, never on the wire. */
export const calmText =
  'Galley ran into a fault of its own and did not finish this. Versions that are stored stay as they are. Try again.'

/** Everything `serve` touches, handed in, so that its checks are tested without an Electron. */
export interface ServeOptions {
  readonly ipcMain: Pick<IpcMain, 'handle'>
  readonly handlers: Handlers
  readonly isTrusted: (event: IpcMainInvokeEvent) => boolean
  readonly log: (line: string) => void
}

const isCallName = (name: unknown): name is keyof Calls => typeof name === 'string' && Object.hasOwn(callInputs, name)

/** Where an error came from without its message, since a message may quote a secret that was typed. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [error.name, ...frames.slice(0, 6).map((line) => line.trim())].join(' ')
}

/** Answers every call of the window: sender, name and input are checked here, once for all calls. */
export function serve({ ipcMain, handlers, isTrusted, log }: ServeOptions): void {
  ipcMain.handle(callChannel, async (event, name: unknown, input: unknown): Promise<unknown> => {
    if (!isTrusted(event)) {
      log('a call from outside the window was refused')
      throw new Error('Only the window of Galley is answered.')
    }
    if (!isCallName(name)) {
      log('a call with an unknown name was refused')
      throw new Error('Galley knows no such call.')
    }
    const parsed = callInputs[name].safeParse(input)
    if (!parsed.success) {
      // Paths only: the values may be what somebody typed into a secret field.
      log(`${name}: input refused at ${parsed.error.issues.map((issue) => issue.path.join('.') || 'top').join(', ')}`)
      throw new Error('Galley cannot use this input.')
    }
    // The table ties each input to its handler; TypeScript cannot follow that through a computed name.
    const handler = handlers[name] as (checked: unknown) => unknown
    try {
      return await handler(parsed.data)
    } catch (error) {
      log(`${name}: ${placeOf(error)}`)
      // No cause: it would carry the message across.
      // oxlint-disable-next-line preserve-caught-error
      throw new Error(calmText)
    }
  })
}

/** Tells every own window that something happened; a window that is gone is passed by. */
export type Push = <Name extends keyof Events>(name: Name, event: Events[Name]) => void

export function createPush(windows: () => readonly Pick<WebContents, 'send' | 'isDestroyed'>[]): Push {
  return (name, event) => {
    for (const contents of windows()) if (!contents.isDestroyed()) contents.send(pushChannel, name, event)
  }
}

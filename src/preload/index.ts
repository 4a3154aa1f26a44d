import { contextBridge, ipcRenderer } from 'electron'

import type { Bridge, Events } from '../contract/ipc.ts'

// The two channels of the app; `main/ipc/serve.ts` holds the other end of both.
const callChannel = 'galley:call'
const pushChannel = 'galley:push'

/** The only thing the page gets: named calls out, named pushes in. No Electron object crosses over. */
const bridge: Bridge = {
  call: (name, input) => ipcRenderer.invoke(callChannel, name, input),
  on: <Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void) => {
    // The type of a push is vouched for by `push` in main, which takes name and event together.
    const relay = (_: unknown, pushed: string, event: unknown): void => {
      if (pushed === name) listener(event as Events[Name])
    }
    ipcRenderer.on(pushChannel, relay)
    return () => {
      ipcRenderer.removeListener(pushChannel, relay)
    }
  },
}

contextBridge.exposeInMainWorld('galley', bridge)

import { contextBridge, ipcRenderer } from 'electron'

import type { Bridge, Events } from '../contract/ipc/calls.ts'

// The two channels of the app; `main/platform/electron/serve.ts` holds the other end of both.
const callChannel = 'galley:call'
const pushChannel = 'galley:push'

// One listener on the channel for all of the page's, which come and go with what it shows.
const listeners = new Map<string, Set<(event: never) => void>>()
ipcRenderer.on(pushChannel, (_, pushed: string, event: unknown) => {
  // The type of a push is vouched for by `push` in main, which takes name and event together.
  for (const listener of listeners.get(pushed) ?? []) listener(event as never)
})

/** The only thing the page gets: named calls out, named pushes in. No Electron object crosses over. */
const bridge: Bridge = {
  call: (name, input) => ipcRenderer.invoke(callChannel, name, input),
  on: <Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void) => {
    const own = listeners.get(name) ?? new Set()
    listeners.set(name, own.add(listener))
    return () => void own.delete(listener)
  },
}

contextBridge.exposeInMainWorld('galley', bridge)

import { contextBridge, ipcRenderer } from 'electron'

import type { Bridge, Events } from '../ipc/calls.ts'
import { callChannel, pushChannel } from '../ipc/channels.ts'

// One IPC listener dispatches to all listeners of the page.
const listeners = new Map<string, Set<(event: never) => void>>()
ipcRenderer.on(pushChannel, (_, pushed: string, event: unknown) => {
  // A copy: a listener may add another one. `push` in main type-checks the event against its name.
  for (const listener of Array.from(listeners.get(pushed) ?? [])) listener(event as never)
})

/** The page's whole API: named calls out, named pushes in. No Electron object is exposed. */
const bridge: Bridge = {
  call: (name, input) => ipcRenderer.invoke(callChannel, name, input),
  on: <Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void) => {
    const own = listeners.get(name) ?? new Set()
    listeners.set(name, own.add(listener))
    return () => void own.delete(listener)
  },
}

contextBridge.exposeInMainWorld('galley', bridge)

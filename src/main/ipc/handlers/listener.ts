import type { Handlers } from '../../../contract/ipc.ts'
import type { Galley } from '../../galley.ts'

/** Calls about the callbacks, the listener that receives them, and where all of it lies. */
export function listenerHandlers(
  galley: Galley,
  startListener: Handlers['startListener'],
): Pick<Handlers, 'listCallbacks' | 'listenerState' | 'startListener' | 'libraryFolder'> {
  return {
    listCallbacks: ({ site, limit }) => galley.index.callbacks.list({ site, outcome: null, limit }),
    listenerState: () => galley.listenerState(),
    startListener,
    libraryFolder: () => galley.folder,
  }
}

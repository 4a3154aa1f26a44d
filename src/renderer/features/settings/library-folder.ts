import type { CallProblem } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { ChosenLibrary } from '../../../ipc/health.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'

export interface LibraryFolderState {
  /** Null until loaded. */
  readonly folder: string | null
  /** The library folder after the next restart. */
  readonly next: ChosenLibrary | null
  readonly problem: CallProblem | null
  load(): Promise<void>
  open(): Promise<void>
  choose(): Promise<void>
  restart(): void
}

/** The library folder, and the choice of another one. */
export const createLibraryFolder = (bridge: Bridge): StoreApi<LibraryFolderState> =>
  createStore<LibraryFolderState>()((set) => ({
    folder: null,
    next: null,
    problem: null,
    load: async () => set({ folder: await bridge.call('libraryFolder', undefined).catch(() => null) }),
    open: async () => {
      const opened = await catchUnexpected(bridge.call('openLibraryFolder', undefined))
      set({ problem: opened.ok ? null : opened.failure })
    },
    choose: async () => {
      const chosen = await catchUnexpected(bridge.call('chooseLibraryFolder', undefined))
      if (!chosen.ok) set({ problem: chosen.failure })
      else if (chosen.value !== null) set({ next: chosen.value, problem: null })
    },
    restart: () => void bridge.call('relaunch', undefined).catch(() => null),
  }))

export const [useLibraryFolder, provideLibraryFolder] = createStoreContext<LibraryFolderState>('library folder')

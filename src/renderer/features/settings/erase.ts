import type { CallProblem, EraseReport } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { followTask, orCancelled } from '../../bridge/follow-task.ts'
import { createStoreContext } from '../../context/provided.ts'

/** The state of erasing a person; erasing always uses the address that was previewed. */
export type Erasing =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly isDryRun: boolean }
  | { readonly kind: 'found'; readonly email: string; readonly report: EraseReport }
  | { readonly kind: 'erased'; readonly report: EraseReport }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

export interface EraseState {
  readonly erasing: Erasing
  find(email: string): Promise<void>
  /** Erases the previewed person only, after a system dialog. */
  erase(): Promise<void>
  /** Called when the address changes. Ends a preview under way, but never hides an erase. */
  reset(): void
}

/** Previews where the library names a person, then erases them on request. */
export function createErase(bridge: Bridge): StoreApi<EraseState> {
  return createStore<EraseState>()((set, get) => {
    async function run(email: string, isDryRun: boolean): Promise<void> {
      const before = get().erasing
      if (before.kind === 'running') return
      const running: Erasing = { kind: 'running', isDryRun }
      set({ erasing: running })
      const ended = await followTask<'erase'>(bridge, orCancelled(bridge.call('startErase', { email, isDryRun }))).ended
      // The address changed during the preview.
      if (isDryRun && get().erasing !== running) return
      if (ended.ok)
        set({
          erasing: isDryRun ? { kind: 'found', email, report: ended.value } : { kind: 'erased', report: ended.value },
        })
      // Declining the confirmation keeps the preview; an erase that was cancelled midway has made it outdated.
      else if (!isDryRun && ended.failure.code === 'cancelled' && ended.failure.state === undefined)
        set({ erasing: before })
      else set({ erasing: { kind: 'failed', problem: ended.failure } })
    }
    return {
      erasing: { kind: 'idle' },
      find: (email) => run(email, true),
      erase: async () => {
        const { erasing } = get()
        if (erasing.kind === 'found') await run(erasing.email, false)
      },
      reset: () => {
        const { erasing } = get()
        if (erasing.kind !== 'running' || erasing.isDryRun) set({ erasing: { kind: 'idle' } })
      },
    }
  })
}

export const [useErase, provideErase] = createStoreContext<EraseState>('erasing')

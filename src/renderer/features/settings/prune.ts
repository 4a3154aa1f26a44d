import type { CallProblem, PruneReport, Retention } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { followTask, orCancelled } from '../../bridge/follow-task.ts'
import { createStoreContext } from '../../context/provided.ts'

/** The state of pruning; it always deletes by the retention that was previewed. */
export type Pruning =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'previewed'; readonly retention: Retention; readonly report: PruneReport }
  | { readonly kind: 'pruned'; readonly report: PruneReport }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

export interface PruneState {
  readonly pruning: Pruning
  preview(retention: Retention): Promise<void>
  /** Deletes by the previewed retention only. */
  prune(): Promise<void>
  /** Called when the retention changes. */
  reset(): void
}

/** Previews what a retention would delete, then deletes it on request. */
export function createPrune(bridge: Bridge): StoreApi<PruneState> {
  return createStore<PruneState>()((set, get) => {
    async function run(retention: Retention, isDryRun: boolean): Promise<void> {
      if (get().pruning.kind === 'running') return
      const before = get().pruning
      const running: Pruning = { kind: 'running' }
      set({ pruning: running })
      const start = orCancelled(bridge.call('startPrune', { site: null, retention, isDryRun }))
      const ended = await followTask<'prune'>(bridge, start).ended
      // The retention changed during the preview, which is now outdated.
      if (isDryRun && get().pruning !== running) return
      // Declining the confirmation keeps the preview.
      if (!ended.ok && !isDryRun && ended.failure.code === 'cancelled' && ended.failure.state === undefined)
        set({ pruning: before })
      else if (!ended.ok) set({ pruning: { kind: 'failed', problem: ended.failure } })
      else if (isDryRun) set({ pruning: { kind: 'previewed', retention, report: ended.value } })
      else set({ pruning: { kind: 'pruned', report: ended.value } })
    }
    return {
      pruning: { kind: 'idle' },
      preview: (retention) => run(retention, true),
      prune: async () => {
        const { pruning } = get()
        if (pruning.kind === 'previewed') await run(pruning.retention, false)
      },
      reset: () => set({ pruning: { kind: 'idle' } }),
    }
  })
}

export const [usePrune, providePrune] = createStoreContext<PruneState>('pruning')

import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { PruneReport } from '../../../contract/domain/care-reports.ts'
import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { Retention } from '../../../contract/ipc/health.ts'
import type { CallProblem } from '../../../contract/ipc/problem.ts'
import { followTask, orCancelled } from '../../bridge/follow-task.ts'
import { createStoreContext } from '../../context/provided.ts'

/** How the pruning of old versions stands; what was previewed is what is then deleted by. */
export type Pruning =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'previewed'; readonly retention: Retention; readonly report: PruneReport }
  | { readonly kind: 'pruned'; readonly report: PruneReport }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

export interface PruneState {
  readonly pruning: Pruning
  preview(retention: Retention): Promise<void>
  /** Deletes by the retention that was previewed, and by no other. */
  prune(): Promise<void>
  /** What was previewed is no longer what is asked for. */
  reset(): void
}

/** Shows what a retention would delete, and deletes it when told to. */
export function createPrune(bridge: Bridge): StoreApi<PruneState> {
  return createStore<PruneState>()((set, get) => {
    async function run(retention: Retention, isDryRun: boolean): Promise<void> {
      if (get().pruning.kind === 'running') return
      const before = get().pruning
      const running: Pruning = { kind: 'running' }
      set({ pruning: running })
      const start = orCancelled(bridge.call('startPrune', { site: null, retention, isDryRun }))
      const ended = await followTask<'prune'>(bridge, start).ended
      // The figures were changed meanwhile: a preview of the old ones is nothing to delete by.
      if (isDryRun && get().pruning !== running) return
      // Main's own question was answered with no: what was previewed still holds.
      if (!ended.ok && !isDryRun && ended.failure.code === 'cancelled' && ended.failure.facts === undefined)
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

import type { CallProblem, EraseReport, PruneReport, Retention } from '@galley/library/records'
import type { Result } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { followTask, orCancelled } from '../../bridge/follow-task.ts'
import { createStoreContext } from '../../context/provided.ts'

/** A deletion that is previewed first. It always deletes by the input that was previewed. */
export type Deletion<Input, Report> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly isDryRun: boolean }
  | { readonly kind: 'previewed'; readonly input: Input; readonly report: Report }
  | { readonly kind: 'done'; readonly report: Report }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

export interface DeletionState<Input, Report> {
  readonly deletion: Deletion<Input, Report>
  preview(input: Input): Promise<void>
  /** Deletes what was previewed, after a system dialog. */
  run(): Promise<void>
  /** Called when the input changes. Ends a preview under way, but never hides a deletion. */
  reset(): void
}

function createDeletion<Input, Report>(
  ask: (input: Input, isDryRun: boolean) => Promise<Result<Report, CallProblem>>,
): StoreApi<DeletionState<Input, Report>> {
  return createStore<DeletionState<Input, Report>>()((set, get) => {
    async function start(input: Input, isDryRun: boolean): Promise<void> {
      const before = get().deletion
      if (before.kind === 'running') return
      const running = { kind: 'running', isDryRun } as const
      set({ deletion: running })
      const ended = await ask(input, isDryRun)
      // The input changed during the preview.
      if (isDryRun && get().deletion !== running) return
      if (ended.ok)
        set({
          deletion: isDryRun
            ? { kind: 'previewed', input, report: ended.value }
            : { kind: 'done', report: ended.value },
        })
      // Declining the confirmation keeps the preview; a deletion that was cancelled midway has made it outdated.
      else if (!isDryRun && ended.failure.code === 'cancelled' && ended.failure.state === undefined)
        set({ deletion: before })
      else set({ deletion: { kind: 'failed', problem: ended.failure } })
    }
    return {
      deletion: { kind: 'idle' },
      preview: (input) => start(input, true),
      run: async () => {
        const { deletion } = get()
        if (deletion.kind === 'previewed') await start(deletion.input, false)
      },
      reset: () => {
        const { deletion } = get()
        if (deletion.kind !== 'running' || deletion.isDryRun) set({ deletion: { kind: 'idle' } })
      },
    }
  })
}

/** Deletes the old versions that a retention does not keep. */
export const createPrune = (bridge: Bridge) =>
  createDeletion(
    (retention: Retention, isDryRun) =>
      followTask<'prune'>(bridge, orCancelled(bridge.call('startPrune', { site: null, retention, isDryRun }))).ended,
  )

/** Erases a person, by the e-mail address. */
export const createErase = (bridge: Bridge) =>
  createDeletion(
    (email: string, isDryRun) =>
      followTask<'erase'>(bridge, orCancelled(bridge.call('startErase', { email, isDryRun }))).ended,
  )

export const [usePrune, providePrune] = createStoreContext<DeletionState<Retention, PruneReport>>('pruning')
export const [useErase, provideErase] = createStoreContext<DeletionState<string, EraseReport>>('erasing')

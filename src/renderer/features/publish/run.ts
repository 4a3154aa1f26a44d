import type { PublishPlan, PublishReport } from '@galley/library/records'
import type { SiteId, TaskProgress } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { ReleaseRow } from '../../../ipc/publishing.ts'
import { followTask } from '../../bridge/follow-task.ts'
import type { RunningTask } from '../../bridge/follow-task.ts'
import { createStoreContext } from '../../context/provided.ts'

/** The stage of a publication. */
export type RunStage =
  | { readonly kind: 'closed' }
  /** Asks for confirmation to restore an earlier release. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'planning' | 'publishing'; readonly progress: TaskProgress | null; readonly isCancelling: boolean }
  | { readonly kind: 'planned'; readonly plan: PublishPlan }
  | { readonly kind: 'done'; readonly report: PublishReport }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

/** What to publish where; `release` null: the current site. */
interface RunInput {
  readonly site: SiteId
  readonly target: string
  readonly release: ReleaseRow | null
  /** Reads every file of the current release, and sends what the target lacks. */
  readonly isRepair?: boolean
}

export interface RunState extends RunInput {
  readonly stage: RunStage
  /** What a person has allowed by typing the name of the site. */
  readonly permits: { readonly takeOver?: boolean; readonly allowRemovals?: boolean }
  /** Plans a publication, or asks to confirm a rollback. */
  open(input: RunInput): void
  plan(): Promise<void>
  /** Continues with what a person has allowed: to replace another site, or to remove most pages. */
  allow(what: 'takeOver' | 'allowRemovals'): void
  publish(): Promise<void>
  /** Stops the running plan or publication at its next safe point. */
  cancel(): void
  /** Cancels a plan that is being made; a publication continues as a task. */
  close(): void
}

/** The publication that is being planned or is running. */
export function createRun(bridge: Bridge): StoreApi<RunState> {
  return createStore<RunState>()((set, get) => {
    let running: RunningTask<'publishPlan' | 'publish'> | null = null
    const order = () => {
      const { site, target, release, isRepair = false, permits } = get()
      return { site, target, release: release?.releaseId ?? null, permits: { ...permits, isThorough: isRepair } }
    }
    const onProgress = (progress: TaskProgress): void =>
      set(({ stage }) =>
        stage.kind === 'planning' || stage.kind === 'publishing' ? { stage: { ...stage, progress } } : {},
      )
    return {
      site: '',
      target: '',
      release: null,
      permits: {},
      stage: { kind: 'closed' },
      open(input) {
        set({ isRepair: false, ...input, permits: {}, stage: { kind: 'asking' } })
        if (input.isRepair === true) void get().publish()
        else if (input.release === null) void get().plan()
      },
      allow(what) {
        set(({ permits }) => ({ permits: { ...permits, [what]: true } }))
        if (what === 'takeOver' && get().release === null) void get().plan()
        else void get().publish()
      },
      async plan() {
        set({ stage: { kind: 'planning', progress: null, isCancelling: false } })
        const task = followTask<'publishPlan'>(bridge, bridge.call('startPublishPlan', order()), onProgress)
        running = task
        const planned = await task.ended
        if (running !== task) return
        set({
          stage: planned.ok ? { kind: 'planned', plan: planned.value } : { kind: 'failed', problem: planned.failure },
        })
      },
      async publish() {
        set({ stage: { kind: 'publishing', progress: null, isCancelling: false } })
        const task = followTask<'publish'>(bridge, bridge.call('startPublish', order()), onProgress)
        running = task
        const done = await task.ended
        if (running !== task) return
        set({ stage: done.ok ? { kind: 'done', report: done.value } : { kind: 'failed', problem: done.failure } })
      },
      cancel() {
        running?.cancel()
        set(({ stage }) => ('isCancelling' in stage ? { stage: { ...stage, isCancelling: true } } : {}))
      },
      close() {
        if (get().stage.kind === 'publishing') running?.leave()
        else running?.cancel()
        running = null
        set({ stage: { kind: 'closed' } })
      },
    }
  })
}

export const [useRun, provideRun] = createStoreContext<RunState>('publication under way')

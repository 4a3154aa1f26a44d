import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { CallbackDetail, Diagnosis, ReplayComparison } from '../../../contract/ipc/callbacks.ts'
import type { Answer } from '../../../contract/ipc/problem.ts'
import { onChange } from '../../bridge/on-change.ts'
import { orProblem } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'

const viewOfAnswer = <Items>(answer: Answer<Items>): View<Items> =>
  answer.ok ? { kind: 'ready', items: answer.value } : { kind: 'failed', problem: answer.failure }

/** What was read about one callback; `id` says about which. */
export interface AboutCallback<Items> {
  readonly id: string | null
  readonly view: View<Items>
  show(id: string | null): void
  retry(): void
}

/** A read about the callback that is shown, which drops answers about another one. */
function aboutCallback<Items>(read: (id: string) => Promise<Answer<Items>>) {
  return create<AboutCallback<Items>>()((set, get) => {
    const load = async (): Promise<void> => {
      const { id } = get()
      if (id === null) return
      const answer = await orProblem(read(id))
      if (get().id === id) set({ view: viewOfAnswer(answer) })
    }
    return {
      id: null,
      view: { kind: 'loading' },
      show: (id) => {
        if (id === get().id) return
        set({ id, view: { kind: 'loading' } })
        void load()
      },
      retry: () => void load(),
    }
  })
}

export type DetailStore = UseBoundStore<StoreApi<AboutCallback<CallbackDetail>>>
export type DiagnosisStore = UseBoundStore<StoreApi<AboutCallback<Diagnosis>>>

/** Everything about the chosen callback, live. */
export function createDetail(bridge: Bridge): DetailStore {
  const useDetail = aboutCallback((id) => bridge.call('inspectCallback', { id }))
  onChange(bridge, ['callbacks', 'sites'], () => useDetail.getState().retry())
  return useDetail
}

/** What the signature doctor finds about the chosen callback, with the secrets as they are now. */
export function createDiagnosis(bridge: Bridge): DiagnosisStore {
  const useDiagnosis = aboutCallback((id) => bridge.call('diagnoseCallback', { id }))
  onChange(bridge, ['sites'], () => useDiagnosis.getState().retry())
  return useDiagnosis
}

/** The last replay, and of which callback it was. */
export interface ReplayState {
  readonly id: string | null
  readonly view: View<ReplayComparison>
  run(id: string, isDryRun: boolean): Promise<void>
}
export type ReplayStore = UseBoundStore<StoreApi<ReplayState>>

/** Replays one callback; its outcome is shown beside the old one. */
export const createReplay = (bridge: Bridge): ReplayStore =>
  create<ReplayState>()((set, get) => ({
    id: null,
    view: { kind: 'loading' },
    run: async (id, isDryRun) => {
      if (get().id === id && get().view.kind === 'loading') return
      set({ id, view: { kind: 'loading' } })
      const answer = await orProblem(bridge.call('replayCallback', { id, isDryRun }))
      if (get().id === id) set({ view: viewOfAnswer(answer) })
    },
  }))

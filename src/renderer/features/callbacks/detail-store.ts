import type { Answer, CallbackDetail, Diagnosis, ReplayComparison } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected, viewOfAnswer } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'

/** Data about the callback `id`. */
export interface AboutCallback<Items> {
  readonly id: string | null
  readonly view: View<Items>
  show(id: string | null): void
  retry(): void
}

/** Loads data about the current callback and drops answers about another one. */
function aboutCallback<Items>(read: (id: string) => Promise<Answer<Items>>) {
  return createStore<AboutCallback<Items>>()((set, get) => {
    const load = async (): Promise<void> => {
      const { id } = get()
      if (id === null) return
      const answer = await catchUnexpected(read(id))
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

export type DetailStore = StoreApi<AboutCallback<CallbackDetail>>
export type DiagnosisStore = StoreApi<AboutCallback<Diagnosis>>

/** Everything about the selected callback, live. */
export function createDetail(bridge: Bridge): DetailStore {
  const detail = aboutCallback((id) => bridge.call('inspectCallback', { id }))
  onChange(bridge, ['callbacks', 'sites'], () => detail.getState().retry())
  return detail
}

/** The signature doctor's findings for the selected callback, with the current secrets. */
export function createDiagnosis(bridge: Bridge): DiagnosisStore {
  const diagnosis = aboutCallback((id) => bridge.call('diagnoseCallback', { id }))
  onChange(bridge, ['sites'], () => diagnosis.getState().retry())
  return diagnosis
}

/** The last replay and its callback. */
export interface ReplayState {
  readonly id: string | null
  readonly view: View<ReplayComparison>
  run(id: string, isDryRun: boolean): Promise<void>
}
export type ReplayStore = StoreApi<ReplayState>

/** Replays one callback to compare the outcomes. */
export const createReplay = (bridge: Bridge): ReplayStore =>
  createStore<ReplayState>()((set, get) => ({
    id: null,
    view: { kind: 'loading' },
    run: async (id, isDryRun) => {
      if (get().id === id && get().view.kind === 'loading') return
      set({ id, view: { kind: 'loading' } })
      const answer = await catchUnexpected(bridge.call('replayCallback', { id, isDryRun }))
      if (get().id === id) set({ view: viewOfAnswer(answer) })
    },
  }))

export const [useCallbackDetail, provideCallbackDetail] =
  createStoreContext<AboutCallback<CallbackDetail>>('chosen callback')

export const [useDiagnosis, provideDiagnosis] = createStoreContext<AboutCallback<Diagnosis>>('diagnosis')

export const [useReplay, provideReplay] = createStoreContext<ReplayState>('replay')

import type { CallbackDetail, Diagnosis, ReplayComparison } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected, viewOfAnswer, viewOfCall } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import { createShown } from '../../stores/shown.ts'
import type { Shown } from '../../stores/shown.ts'

/** Data about the callback `of`. */
type AboutCallback<Items> = Shown<string, Items>

/** Everything about the selected callback, live. */
export function createDetail(bridge: Bridge): StoreApi<AboutCallback<CallbackDetail>> {
  const detail = createShown((id: string) => viewOfCall(bridge.call('inspectCallback', { id })))
  onChange(bridge, ['callbacks', 'sites'], () => void detail.getState().load())
  return detail
}

/** The signature doctor's findings for the selected callback, with the current secrets. */
export function createDiagnosis(bridge: Bridge): StoreApi<AboutCallback<Diagnosis>> {
  const diagnosis = createShown((id: string) => viewOfCall(bridge.call('diagnoseCallback', { id })))
  onChange(bridge, ['sites'], () => void diagnosis.getState().load())
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

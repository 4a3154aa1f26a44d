import type { MaterialRow } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { createStore } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'

interface Chosen {
  readonly site: SiteId
  readonly materialId: MaterialId
}

export interface ChosenMaterialState {
  readonly of: Chosen | null
  /** null: not in the library, or no longer. */
  readonly view: View<MaterialRow | null>
  load(): Promise<void>
  show(of: Chosen | null): void
}

/** The open material, whether or not the list includes it. */
export function createChosenMaterial(bridge: Bridge) {
  const isSame = (one: Chosen | null, other: Chosen | null): boolean =>
    one?.site === other?.site && one?.materialId === other?.materialId
  const chosen = createStore<ChosenMaterialState>()((set, get) => ({
    of: null,
    view: { kind: 'loading' },
    load: oneAtATime(async () => {
      const { of } = get()
      if (of === null) return
      const view = await viewOf(bridge.call('findMaterial', of))
      if (isSame(get().of, of)) set({ view })
    }),
    show: (of) => {
      if (isSame(get().of, of)) return
      set({ of, view: { kind: 'loading' } })
      void get().load()
    },
  }))
  const read = (): void => void chosen.getState().load()
  onChange(bridge, ['materials', 'marks', 'rules'], read, () => chosen.getState().of)
  return chosen
}

export const [useChosenMaterial, provideChosenMaterial] = createStoreContext<ChosenMaterialState>('chosen material')

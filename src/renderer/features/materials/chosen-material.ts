import type { MaterialRef, MaterialRow } from '@galley/library/records'

import type { Bridge } from '../../../ipc/calls.ts'
import { viewOf } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import { createShown } from '../../stores/shown.ts'
import type { Shown } from '../../stores/shown.ts'

/** null: not in the library, or no longer. */
export type ChosenMaterialState = Shown<MaterialRef, MaterialRow | null>

/** The open material, whether or not the list includes it. */
export function createChosenMaterial(bridge: Bridge) {
  const chosen = createShown<MaterialRef, MaterialRow | null>((of) => viewOf(bridge.call('findMaterial', of)))
  const read = (): void => void chosen.getState().load()
  onChange(bridge, ['materials', 'marks', 'rules'], read, () => chosen.getState().of)
  return chosen
}

export const [useChosenMaterial, provideChosenMaterial] = createStoreContext<ChosenMaterialState>('chosen material')

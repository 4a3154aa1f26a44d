import { targetText } from '@galley/library/records'

import type { TargetRow } from '../../../ipc/publishing.ts'
import type { Tone } from '../../ui/status.tsx'

/** The address of a target without its kind, which an icon or a label beside it shows. */
export const locationText = ({ place }: Pick<TargetRow, 'place'>): string =>
  targetText(place).slice(place.kind.length + 1)

/** The most important fact about a target: a failure or a missing confirmation comes before its state. */
export type Shown = TargetRow['state'] | 'failed' | 'unconfirmed'

export function targetStateOf({ isConfirmed, lastFailure, state }: TargetRow): Shown {
  if (!isConfirmed) return 'unconfirmed'
  return lastFailure === null ? state : 'failed'
}

export const targetTones: Readonly<Record<Shown, Tone>> = {
  never: 'neutral',
  current: 'success',
  behind: 'warning',
  failed: 'danger',
  unconfirmed: 'warning',
}

/** How to open the published site; null if it has neither a public URL nor a folder. */
export const opening = ({ publicUrl, place }: Pick<TargetRow, 'publicUrl' | 'place'>): 'open' | 'openFolder' | null =>
  publicUrl !== null ? 'open' : place.kind === 'folder' ? 'openFolder' : null

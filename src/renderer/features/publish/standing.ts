import { targetText } from '../../../contract/domain/target.ts'
import type { TargetRow } from '../../../contract/ipc/publishing.ts'
import type { Tone } from '../../ui/status.tsx'

/** The place of a target without its kind, which an icon or a name beside it tells. */
export const placeText = ({ place }: Pick<TargetRow, 'place'>): string => targetText(place).slice(place.kind.length + 1)

/** What to say first about a target: a failure and a missing confirmation come before what it shows. */
export type Shown = TargetRow['standing'] | 'failed' | 'unconfirmed'

export function standingOf({ isConfirmed, lastFailure, standing }: TargetRow): Shown {
  if (!isConfirmed) return 'unconfirmed'
  return lastFailure === null ? standing : 'failed'
}

export const standingTones: Readonly<Record<Shown, Tone>> = {
  never: 'neutral',
  current: 'success',
  behind: 'warning',
  failed: 'danger',
  unconfirmed: 'warning',
}

/** How a person can look at what a target shows; null where only its server or bucket knows. */
export const opening = ({ publicUrl, place }: Pick<TargetRow, 'publicUrl' | 'place'>): 'open' | 'openFolder' | null =>
  publicUrl !== null ? 'open' : place.kind === 'folder' ? 'openFolder' : null

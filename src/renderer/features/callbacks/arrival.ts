import type { CallbackRecord } from '../../../contract/callback-record.ts'
import { texts } from '../../texts.ts'
import { clockTime } from '../../ui/format.ts'

const words = texts.callbacks

/** Names what a callback was about: its material, or else its event. */
export function subjectOf({ kind, materialId }: Pick<CallbackRecord, 'kind' | 'materialId'>): string {
  if (kind === 'site_fonts_updated') return words.arrived.fonts
  return materialId ?? words.arrived.unknown
}

/** One polite sentence about what has just arrived, newest first; several at once are only counted. */
export function arrivalText(arrived: readonly CallbackRecord[]): string {
  const [first, ...others] = arrived
  if (first === undefined) return ''
  if (others.length > 0) return words.arrived.several(arrived.length)
  // The time makes two like arrivals two different texts, and only a changed text is announced again.
  return words.arrived.one(words.outcomes[first.outcome], subjectOf(first), clockTime(first.receivedAt, texts.locale))
}

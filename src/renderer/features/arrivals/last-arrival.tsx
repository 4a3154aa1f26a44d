import type { CallbackRow } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { useAnnouncements } from '../../ui/announcer.tsx'
import { useArrivals } from './store.ts'

type Words = TFunction<'callbacks'>

/** Names a callback by its material, or else by its event. */
function subjectOf({ kind, materialId, materialTitle }: CallbackRow, t: Words): string {
  if (kind === 'site_fonts_updated') return t('arrived.fonts')
  return materialTitle || (materialId ?? t('arrived.unknown'))
}

/** One sentence about the latest callbacks, newest first; several are only counted. */
export function arrivalText(arrived: readonly CallbackRow[], t: Words, clock: (iso: string) => string): string {
  const [first, ...others] = arrived
  if (first === undefined) return ''
  if (others.length > 0) return t('arrived.several', { count: arrived.length })
  const outcome = t(`outcomes.${first.outcome}`)
  return t('arrived.single', { outcome, what: subjectOf(first, t), time: clock(first.receivedAt) })
}

/** The latest callback in words, announced politely to screen readers. */
export function LastArrival() {
  const { t } = useTranslation('callbacks')
  const formats = useFormats()
  const announce = useAnnouncements((state) => state.announce)
  const text = arrivalText(useArrivals().latest, t, formats.clock)
  useEffect(() => {
    if (text !== '') announce(text)
  }, [text, announce])
  return <span>{text}</span>
}

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { useAnnouncements } from '../../ui/announcer.tsx'
import { arrivalText } from './arrival-text.ts'
import { useArrivals } from './store.ts'

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

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import type { Services } from '../../domain/services.ts'
import { arrivalText } from './arrival-text.ts'
import type { createArrivals } from './store.ts'

interface Props extends Pick<Services, 'useAnnouncements'> {
  readonly useArrivals: ReturnType<typeof createArrivals>
}

/** The last arrival in words; it is said to screen readers as it comes. */
export function LastArrival({ useArrivals, useAnnouncements }: Props) {
  const { t } = useTranslation('callbacks')
  const formats = useFormats()
  const text = arrivalText(useArrivals().arrived, t, formats.clock)
  useEffect(() => {
    if (text !== '') useAnnouncements.getState().announce(text)
  }, [text, useAnnouncements])
  return <span>{text}</span>
}

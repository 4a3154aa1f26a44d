import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { pauseOf, usePauses } from './pauses-store.ts'

interface Props {
  /** The current site, if any. */
  readonly site: string | null
}

/** Shown while saves of the current site are paused: since when, why, and a button to resume. */
export function RefusedBanner({ site }: Props) {
  const { t } = useTranslation('listener')
  const formats = useFormats()
  const state = usePauses()
  const pause = pauseOf(state, site)
  if (pause === null) return null
  const when = formats.dayAndMinute(pause.since)
  const summary = pause.site === null ? t('refused.all', { when }) : t('refused.site', { when, site: pause.site.name })
  const text = pause.reason === '' ? summary : `${summary} ${t('refused.reason', { reason: pause.reason })}`
  return (
    <Banner tone="warning" text={text}>
      <Button onClick={() => void state.takeSaves(pause.site?.id ?? null)}>{t('refused.take')}</Button>
    </Banner>
  )
}

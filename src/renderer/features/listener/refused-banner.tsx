import type { SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useSucceeded } from '../../domain/call-toasts.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { pauseOf, usePauses } from './pauses-store.ts'

interface Props {
  /** The current site, if any. */
  readonly site: SiteId | null
}

/** Shown while saves of the current site are paused: since when, why, and a button to resume. */
export function RefusedBanner({ site }: Props) {
  const { t } = useTranslation(['listener', 'health'])
  const formats = useFormats()
  const succeeded = useSucceeded()
  const state = usePauses()
  const pause = pauseOf(state, site)
  if (pause === null) return null
  const when = formats.dayAndMinute(pause.since)
  const summary = pause.site === null ? t('refused.all', { when }) : t('refused.site', { when, site: pause.site.name })
  const text = pause.reason === '' ? summary : `${summary} ${t('refused.reason', { reason: pause.reason })}`
  const resume = async (): Promise<void> =>
    void succeeded(t('health:notDone.takeSaves'), await state.takeSaves(pause.site?.id ?? null))
  return (
    <Banner tone="warning" text={text}>
      <Button onClick={() => void resume()}>{t('refused.take')}</Button>
    </Banner>
  )
}

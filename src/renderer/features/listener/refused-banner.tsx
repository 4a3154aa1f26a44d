import type { SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { addFailure, useToasts } from '../../ui/toasts.tsx'
import { pauseOf, usePauses } from './pauses-store.ts'

interface Props {
  /** The current site, if any. */
  readonly site: SiteId | null
}

/** Shown while saves of the current site are paused: since when, why, and a button to resume. */
export function RefusedBanner({ site }: Props) {
  const { t } = useTranslation(['listener', 'health'])
  const formats = useFormats()
  const problemText = useProblemText()
  const toasts = useToasts()
  const state = usePauses()
  const pause = pauseOf(state, site)
  if (pause === null) return null
  const when = formats.dayAndMinute(pause.since)
  const summary = pause.site === null ? t('refused.all', { when }) : t('refused.site', { when, site: pause.site.name })
  const text = pause.reason === '' ? summary : `${summary} ${t('refused.reason', { reason: pause.reason })}`
  const resume = async (): Promise<void> => {
    const problem = await state.takeSaves(pause.site?.id ?? null)
    if (problem !== null)
      addFailure(toasts, { title: t('health:notDone.takeSaves'), description: problemText(problem) })
  }
  return (
    <Banner tone="warning" text={text}>
      <Button onClick={() => void resume()}>{t('refused.take')}</Button>
    </Banner>
  )
}

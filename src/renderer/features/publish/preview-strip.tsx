import { useTranslation } from 'react-i18next'

import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useTargets } from './store.ts'

/** Says that a preview runs, and why it lags behind. */
export function PreviewStrip() {
  const { t } = useTranslation('publish')
  const problemText = useProblemText()
  const { preview, stopPreview } = useTargets()
  if (preview === null) return null
  const { url, problem } = preview
  return (
    <Banner
      tone={problem === null ? 'info' : 'warning'}
      text={problem === null ? t('previewing.shown', { url }) : `${t('previewing.broken')} ${problemText(problem)}`}
    >
      <Button look="quiet" onClick={() => void stopPreview()}>
        {t('previewing.stop')}
      </Button>
    </Banner>
  )
}

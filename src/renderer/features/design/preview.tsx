import { Eye } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { addFailure, useToasts } from '../../ui/toasts.tsx'
import { useDesign } from './store.ts'

/** Opens the site in the browser as it would be published. */
export function PreviewButton() {
  const { t } = useTranslation('design')
  const problemText = useProblemText()
  const toasts = useToasts()
  const startPreview = useDesign((state) => state.startPreview)
  const [isStarting, setStarting] = useState(false)
  const start = async (): Promise<void> => {
    setStarting(true)
    const started = await startPreview()
    setStarting(false)
    if (!started.ok) addFailure(toasts, { title: t('preview.failed'), description: problemText(started.failure) })
  }
  return (
    <Button
      look="primary"
      icon={Eye}
      aria-disabled={isStarting}
      onClick={() => {
        if (!isStarting) void start()
      }}
    >
      {t(isStarting ? 'preview.starting' : 'preview.start')}
    </Button>
  )
}

/** Says that a preview runs and follows what is saved, or why it does not. */
export function PreviewNotice() {
  const { t } = useTranslation('design')
  const problemText = useProblemText()
  const { preview, stopPreview } = useDesign()
  if (preview === null) return null
  const { url, problem } = preview
  const text = problem === null ? t('preview.runs', { url }) : `${t('preview.lags')} ${problemText(problem)}`
  return (
    <Banner tone={problem === null ? 'info' : 'danger'} text={text}>
      <Button onClick={() => void stopPreview()}>{t('preview.stop')}</Button>
    </Banner>
  )
}

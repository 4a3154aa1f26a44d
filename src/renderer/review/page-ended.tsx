import { useTranslation } from 'react-i18next'

import type { PageEnd } from '../../ipc/review-window.ts'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/message.tsx'

interface Props {
  readonly why: PageEnd
  readonly onReload: (hasImages: boolean) => void
  readonly onClose: () => void
}

/** Shown when a page's process has ended: what happened, that stored data is safe, and what to do. */
export function PageEnded({ why, onReload, onClose }: Props) {
  const { t } = useTranslation('review')
  return (
    <Message title={t(`ended.${why}.title`)} text={t(`ended.${why}.text`)} isFailure>
      <Button look="primary" onClick={() => onReload(false)}>
        {t('ended.reloadWithoutImages')}
      </Button>
      <Button onClick={() => onReload(true)}>{t('ended.reload')}</Button>
      <Button onClick={onClose}>{t('close')}</Button>
    </Message>
  )
}

import type { FailedSaves } from '@galley/library/records'
import type { CallbackId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'

interface Props {
  readonly failed: FailedSaves | null
  readonly onShow: (callbackId: CallbackId) => void
}

/** Reports saves that were not stored, until later ones are or a person dismisses them. */
export function FailedBanner({ failed, onShow }: Props) {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  const newest = failed?.newest ?? null
  if (failed === null || newest === null) return null
  const name = newest.title || newest.materialId || ''
  const text = t('failedSaves', { count: failed.count, what: name, when: formats.dayAndMinute(newest.receivedAt) })
  return (
    <Banner tone="danger" text={text}>
      <Button onClick={() => onShow(newest.id)}>{t('failedSavesShow')}</Button>
    </Banner>
  )
}

import type { FailedSaves } from '@galley/library/records'
import type { CallbackId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { SectionCounts } from '../../../ipc/materials.ts'
import { useGapText } from '../../domain/gap-text.ts'
import { Means } from '../../domain/means.tsx'
import { useUnsignedText } from '../../domain/unsigned-text.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'

interface FailedBannerProps {
  readonly failed: FailedSaves | null
  readonly onShow: (callbackId: CallbackId) => void
}

/** Reports saves that were not stored, until later ones are or a person dismisses them. */
function FailedBanner({ failed, onShow }: FailedBannerProps) {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  const newest = failed?.newest ?? null
  if (failed === null || newest === null) return null
  const name = newest.title || newest.materialId || ''
  const text = t('failedSaves', { count: failed.count, what: name, when: formats.dayAndMinute(newest.receivedAt) })
  return (
    <Banner tone="danger" text={text}>
      <Button onClick={() => onShow(newest.id)}>{t('failedSavesShow')}</Button>
      <Means code="outcome:failed" />
    </Banner>
  )
}

interface Props {
  readonly counts: SectionCounts | null
  readonly onShow: (callbackId: CallbackId) => void
  /** Shows what the signature doctor says of a callback. */
  readonly onCheck: (callbackId: CallbackId) => void
  readonly onDismissUnsigned: () => void
  readonly onDismissGap: () => void
}

/** Saves that were not stored, or may not have been. */
export function SaveNotices({ counts, onShow, onCheck, onDismissUnsigned, onDismissGap }: Props) {
  const { t } = useTranslation(['materials', 'ui'])
  const unsignedText = useUnsignedText()
  const gapText = useGapText()
  if (counts === null) return null
  const { failedSaves, unsignedSaves, gap } = counts
  return (
    <>
      <FailedBanner failed={failedSaves} onShow={onShow} />
      {unsignedSaves !== null && (
        <Banner tone="warning" text={unsignedText(unsignedSaves)}>
          <Button onClick={() => onCheck(unsignedSaves.newest)}>{t('checkSignature')}</Button>
          <Button onClick={onDismissUnsigned}>{t('ui:dismiss')}</Button>
          <Means code="callback:invalid_signature" />
        </Banner>
      )}
      {gap !== null && (
        <Banner tone="warning" text={gapText(gap)}>
          <Button onClick={onDismissGap}>{t('ui:dismiss')}</Button>
          <Means code="health:sleep" />
        </Banner>
      )}
    </>
  )
}

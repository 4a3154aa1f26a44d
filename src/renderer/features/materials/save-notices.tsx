import type { CallbackId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { SectionCounts } from '../../../ipc/materials.ts'
import { useGapText } from '../../domain/gap-text.ts'
import { useUnsignedText } from '../../domain/unsigned-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FailedBanner } from './failed-banner.tsx'

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
        </Banner>
      )}
      {gap !== null && (
        <Banner tone="warning" text={gapText(gap)}>
          <Button onClick={onDismissGap}>{t('ui:dismiss')}</Button>
        </Banner>
      )}
    </>
  )
}

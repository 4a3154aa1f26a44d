import type { VersionRef } from '@galley/library/records'
import { Copy, PackagePlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { catchUnexpected } from '../bridge/answers.ts'
import { useBridge } from '../bridge/use-bridge.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody } from '../ui/dialog.tsx'
import { useSucceeded } from './call-toasts.ts'
import { useCopy } from './copy-text.ts'

interface Props {
  readonly version: VersionRef
  /** Exports the version with its files. */
  readonly onFiles: () => void
  readonly onClose: () => void
}

/** Says how a writer gets back to an older version, which opening the page again does not do, and offers what is stored of it. */
export function GoBackDialog({ version, onFiles, onClose }: Props) {
  const { t } = useTranslation(['versions', 'ui'])
  const bridge = useBridge()
  const copy = useCopy()
  const succeeded = useSucceeded()
  const copyTexts = async (): Promise<void> => {
    const texts = await catchUnexpected(bridge.call('readTexts', version))
    if (!succeeded(t('goBack.failed'), texts) || !texts.ok) return
    copy(texts.value.map(({ text }) => text).join('\n\n'))
    onClose()
  }
  return (
    <Dialog title={t('goBack.title')} onClose={onClose}>
      <DialogBody
        actions={
          <>
            <Button onClick={onClose}>{t('ui:close')}</Button>
            <Button
              icon={PackagePlus}
              onClick={() => {
                onClose()
                onFiles()
              }}
            >
              {t('goBack.files')}
            </Button>
            <Button look="primary" icon={Copy} onClick={() => void copyTexts()}>
              {t('goBack.text')}
            </Button>
          </>
        }
      >
        <p>{t('goBack.why')}</p>
        <p>{t('goBack.history')}</p>
        <p>{t('goBack.stored')}</p>
      </DialogBody>
    </Dialog>
  )
}

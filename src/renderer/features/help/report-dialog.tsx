import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useSucceeded } from '../../domain/call-toasts.ts'
import { useCopy } from '../../domain/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Source } from '../../ui/source.tsx'
import { useToasts } from '../../ui/toasts.tsx'

/** Shows the whole report before it is copied or saved; nothing is sent. */
export function ReportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['help', 'ui'])
  const bridge = useBridge()
  const toasts = useToasts()
  const succeeded = useSucceeded()
  const copy = useCopy()
  const [report, setReport] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    bridge.call('readDiagnostics', undefined).then(
      (read) => isCurrent && setReport(read),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [bridge])
  async function save(): Promise<void> {
    const saved = await catchUnexpected(bridge.call('saveDiagnostics', undefined))
    if (succeeded(null, saved) && saved.ok && saved.value !== null)
      toasts.add({ title: t('report.saved', { path: saved.value }) })
  }
  return (
    <Dialog title={t('report.title')} size="wide" onClose={onClose}>
      <DialogBody
        actions={
          <>
            <Button onClick={onClose}>{t('ui:close')}</Button>
            <Button aria-disabled={report === null} onClick={() => report !== null && copy(report)}>
              {t('report.copy')}
            </Button>
            <Button look="primary" onClick={() => void save()}>
              {t('report.save')}
            </Button>
          </>
        }
      >
        <p>{t('report.text')}</p>
        {report === null ? <Skeleton rows={4} /> : <Source label={t('report.title')} text={report} isTabStop />}
      </DialogBody>
    </Dialog>
  )
}

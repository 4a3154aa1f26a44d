import { useTranslation } from 'react-i18next'

import { catchUnexpected } from '../bridge/answers.ts'
import { useBridge } from '../bridge/use-bridge.ts'
import { useProblemText } from '../i18n/problem-text.ts'
import { addFailure, useToasts } from '../ui/toasts.tsx'

/** Shows an export in the file manager, or a toast if that fails. */
export function useOpenExportFolder(): (exportId: string) => void {
  const bridge = useBridge()
  const toasts = useToasts()
  const { t } = useTranslation('exports')
  const problemText = useProblemText()
  return (exportId) =>
    void catchUnexpected(bridge.call('openExportFolder', { exportId })).then(
      (opened) => opened.ok || addFailure(toasts, { title: t('notOpened'), description: problemText(opened.failure) }),
    )
}

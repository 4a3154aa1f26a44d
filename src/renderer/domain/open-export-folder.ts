import { useTranslation } from 'react-i18next'

import { catchUnexpected } from '../bridge/answers.ts'
import { useBridge } from '../bridge/use-bridge.ts'
import { useSucceeded } from './call-toasts.ts'

/** Shows an export in the file manager, or a toast if that fails. */
export function useOpenExportFolder(): (exportId: string) => void {
  const bridge = useBridge()
  const { t } = useTranslation('exports')
  const succeeded = useSucceeded()
  return (exportId) =>
    void catchUnexpected(bridge.call('openExportFolder', { exportId })).then((opened) =>
      succeeded(t('notOpened'), opened),
    )
}

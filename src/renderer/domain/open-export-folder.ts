import { useTranslation } from 'react-i18next'

import type { Services } from './services.ts'
import { addFailure } from '../ui/toasts.tsx'
import { orProblem } from '../bridge/answers.ts'
import { useProblemText } from '../i18n/problem-text.ts'

/** Shows an export in the file browser, or says in a toast why it cannot. */
export function useOpenExportFolder({ bridge, toasts }: Pick<Services, 'bridge' | 'toasts'>) {
  const { t } = useTranslation('exports')
  const problemText = useProblemText()
  return (exportId: string): void =>
    void orProblem(bridge.call('openExportFolder', { exportId })).then(
      (opened) => opened.ok || addFailure(toasts, { title: t('notOpened'), description: problemText(opened.failure) }),
    )
}

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { useProblemText } from '../../i18n/problem-text.ts'
import type { Services } from '../../domain/services.ts'
import { addFailure } from '../../ui/toasts.tsx'
import type { createHealth } from './store.ts'

/** Says in a toast what a button did not do, and why. */
export function useNotDoneToasts(useHealth: ReturnType<typeof createHealth>, toasts: Services['toasts']): void {
  const { t } = useTranslation('health')
  const problemText = useProblemText()
  const { notDone } = useHealth()
  useEffect(() => {
    if (notDone === null) return
    useHealth.setState({ notDone: null })
    const { what, problem } = notDone
    addFailure(toasts, { title: t(`notDone.${what}`), description: problemText(problem) })
  }, [notDone, useHealth, toasts, t, problemText])
}

import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../contract/ipc/calls.ts'
import { useProblemText } from '../i18n/problem-text.ts'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/message.tsx'

interface Props {
  readonly problem: CallProblem
  readonly onRetry: () => void
  readonly onHealth: () => void
}

/** Shown when a page or comparison cannot be displayed: what happened, what it means, and what to do. */
export function PageProblem({ problem, onRetry, onHealth }: Props) {
  const { t } = useTranslation(['review', 'ui'])
  const problemText = useProblemText()
  const isDamaged = problem.code === 'damaged_blob'
  const text = (): string => {
    if (isDamaged) return t(problem.facts?.['problem'] === 'altered' ? 'damaged.altered' : 'damaged.lost')
    return problemText(problem)
  }
  return (
    <Message title={t('failed.title')} text={text()} isFailure>
      {isDamaged && (
        <Button look="primary" onClick={onHealth}>
          {t('openHealth')}
        </Button>
      )}
      <Button onClick={onRetry}>{t('ui:retry')}</Button>
    </Message>
  )
}

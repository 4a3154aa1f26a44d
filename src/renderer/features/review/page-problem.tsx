import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { Means } from '../../domain/means.tsx'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'

interface Props {
  /** Null: unexpected. */
  readonly problem: CallProblem | null
  readonly onRetry: () => void
  /** Other ways out. */
  readonly children?: ReactNode
}

/** Shown when a page or comparison cannot be displayed: what happened, what it means, and what to do. */
export function PageProblem({ problem: known, onRetry, children }: Props) {
  const bridge = useBridge()
  const { t } = useTranslation(['review', 'ui'])
  const problemText = useProblemText()
  const problem = known ?? { code: 'unexpected' }
  const isDamaged = problem.code === 'damaged_blob'
  const text = (): string => {
    if (isDamaged) return t('problem' in problem && problem.problem === 'altered' ? 'damaged.altered' : 'damaged.lost')
    return problemText(problem)
  }
  return (
    <Message title={t('failed.title')} text={text()} isFailure>
      {isDamaged && (
        <Button look="primary" onClick={() => void bridge.call('showHealth', undefined)}>
          {t('openHealth')}
        </Button>
      )}
      {children}
      <Button onClick={onRetry}>{t('ui:retry')}</Button>
      <Means code={isDamaged ? 'health:check' : problem.code} hasWords />
    </Message>
  )
}

import type { CallProblem } from '@galley/library/records'
import type { Result } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { problemIn } from '../i18n/problem-text.ts'
import { addFailure, useToasts } from '../ui/toasts.tsx'
import type { Services } from './services.ts'

/** Returns whether a call succeeded. If not, a toast says why, under `title` if there is one. */
export function succeeded(
  { texts, toasts }: Pick<Services, 'texts' | 'toasts'>,
  title: string | null,
  outcome: Result<unknown, CallProblem>,
): boolean {
  if (outcome.ok) return true
  const reason = problemIn(outcome.failure, texts)
  addFailure(toasts, {
    ...(title === null ? { title: reason } : { title, description: reason }),
    problem: outcome.failure,
  })
  return false
}

/** Hook form of `succeeded`. */
export function useSucceeded(): (title: string | null, outcome: Result<unknown, CallProblem>) => boolean {
  const { i18n: texts } = useTranslation('problems')
  const toasts = useToasts()
  return (title, outcome) => succeeded({ texts, toasts }, title, outcome)
}

/** Reports a change with a button that takes it back. */
export function addUndoable(
  { texts, toasts }: Pick<Services, 'texts' | 'toasts'>,
  title: string,
  undo: () => void,
): void {
  const id: string = toasts.add({
    title,
    actionProps: {
      children: texts.t('materials:done.undo'),
      onClick: () => {
        toasts.close(id)
        undo()
      },
    },
  })
}

import type { Result } from '@galley/wire'
import type { ReactNode } from 'react'
import { useState } from 'react'

import type { CallProblem } from '../../ipc/calls.ts'
import { useProblemText } from '../i18n/problem-text.ts'
import { Banner } from '../ui/banner.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../ui/dialog.tsx'

interface Props {
  readonly title: string
  readonly submit: string
  readonly isReady: boolean
  readonly onSubmit: () => Promise<Result<unknown, CallProblem>>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A small dialog for one change; on failure it shows the problem and keeps the input. */
export function ChangeForm({ title, submit, isReady, onSubmit, onClose, children }: Props) {
  const problemText = useProblemText()
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const [isRunning, setRunning] = useState(false)
  const run = async (): Promise<void> => {
    setRunning(true)
    const done = await onSubmit()
    setRunning(false)
    if (!done.ok) setProblem(done.failure)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {problem !== null && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => {
          if (isReady && !isRunning) void run()
        }}
        actions={<CancelAndSubmit onCancel={onClose} isDisabled={!isReady || isRunning} submit={submit} />}
      >
        {children}
      </DialogForm>
    </Dialog>
  )
}

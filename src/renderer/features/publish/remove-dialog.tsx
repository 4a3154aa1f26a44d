import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { TargetRow } from '../../../ipc/publishing.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'

interface Props {
  readonly target: TargetRow
  readonly onClose: () => void
}

/** Confirms the removal of a target; the focus starts on Cancel. */
export function RemoveTargetDialog({ target: { site, name }, onClose }: Props) {
  const { t } = useTranslation('publish')
  const bridge = useBridge()
  const problemText = useProblemText()
  const cancel = useRef<HTMLButtonElement>(null)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const submit = async (): Promise<void> => {
    const removed = await catchUnexpected(bridge.call('removeTarget', { site, target: name }))
    if (removed.ok) onClose()
    else setProblem(removed.failure)
  }
  return (
    <Dialog title={t('removing.title', { name })} initialFocus={cancel} onClose={onClose}>
      {problem !== null && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={<CancelAndSubmit cancelRef={cancel} onCancel={onClose} look="danger" submit={t('removing.confirm')} />}
      >
        <p>{t('removing.text')}</p>
      </DialogForm>
    </Dialog>
  )
}

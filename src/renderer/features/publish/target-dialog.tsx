import type { SiteId } from '@galley/wire'
import { keysIn } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { TargetRow } from '../../../ipc/publishing.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useDiscardGuard } from '../../ui/discard-question.tsx'
import { draftOf, formOf } from './target-draft.ts'
import type { TargetDraft } from './target-draft.ts'
import { TargetFields } from './target-fields.tsx'

interface Props {
  readonly site: SiteId
  /** The target to edit; null adds one. */
  readonly target: TargetRow | null
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}

/** Adds or edits a target; shows main's validation errors at their fields and keeps the input. */
export function TargetDialog({ site, target, onSaved, onClose }: Props) {
  const { t } = useTranslation('publish')
  const bridge = useBridge()
  const problemText = useProblemText()
  const [kept] = useState(() => draftOf(target))
  const [draft, setDraft] = useState(kept)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const [isSaving, setSaving] = useState(false)
  const isTyped = keysIn(draft).some((name) => draft[name] !== kept[name])
  const { leave, question } = useDiscardGuard(isTyped, onClose)
  const submit = async (): Promise<void> => {
    if (isSaving) return
    setSaving(true)
    const saved = await catchUnexpected(bridge.call('saveTarget', formOf(site, draft, target === null)))
    setSaving(false)
    if (saved.ok) onSaved(draft.name.trim())
    else setProblem(saved.failure)
  }
  const change = (changed: Partial<TargetDraft>): void => {
    setDraft({ ...draft, ...changed })
    // An error applies only while its field is unchanged.
    if (problem?.field !== undefined && Object.hasOwn(changed, problem.field)) setProblem(null)
  }
  const isAtField =
    problem?.field !== undefined && Object.hasOwn(draft, problem.field) && problem.field !== 'credentials'
  return (
    <Dialog
      title={target === null ? t('form.addTitle') : t('form.editTitle', { name: target.name })}
      size="large"
      onClose={leave}
    >
      {problem !== null && !isAtField && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={
          question ?? (
            <CancelAndSubmit
              onCancel={leave}
              isDisabled={isSaving}
              submit={t(target === null ? 'form.submitAdd' : 'form.submitEdit')}
            />
          )
        }
      >
        <TargetFields
          site={site}
          target={target}
          draft={draft}
          problem={isAtField ? problem : null}
          onChange={change}
        />
      </DialogForm>
    </Dialog>
  )
}

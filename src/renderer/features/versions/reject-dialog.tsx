import type { VersionRow } from '@galley/library/records'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useDiscardGuard } from '../../ui/discard-question.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import type { VersionHandlers } from './version-handlers.ts'

interface Props {
  readonly version: VersionRow
  readonly decide: VersionHandlers['decide']
  readonly onClose: () => void
}

/** Rejects a version with a note on what must change, or edits that note. */
export function RejectDialog({ version, decide, onClose }: Props) {
  const { t } = useTranslation('versions')
  const given = version.verdict?.decision === 'changes_requested' ? version.verdict.reason : ''
  const [note, setNote] = useState(given)
  const { leave, question } = useDiscardGuard(note.trim() !== given.trim(), onClose)
  const submit = async (): Promise<void> => {
    if (await decide(version, { decision: 'changes_requested', reason: note.trim() })) onClose()
  }
  return (
    <Dialog title={t('reject.title')} onClose={leave}>
      <DialogForm
        onSubmit={() => void submit()}
        actions={question ?? <CancelAndSubmit onCancel={leave} submit={t('actions.reject')} />}
      >
        <p>{t('reject.text')}</p>
        <TextArea label={t('reject.note')} rows={3} isProse submitsByKey value={note} onChange={setNote} />
      </DialogForm>
    </Dialog>
  )
}

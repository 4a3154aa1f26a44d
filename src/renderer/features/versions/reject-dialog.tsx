import type { VersionRow } from '@galley/library/records'
import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { FormDialog } from '../../domain/form-dialog.tsx'
import { useForm } from '../../stores/form.ts'
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
  const form = useForm({
    kept: { note: given },
    read: (draft) => ok(draft.note.trim()),
    save: (reason) => decide(version, { decision: 'changes_requested', reason }),
    onSaved: onClose,
  })
  const isChanged = form.draft.note.trim() !== given.trim()
  return (
    <FormDialog
      title={t('reject.title')}
      submit={t('actions.reject')}
      isGuarded
      form={{ ...form, isChanged }}
      onClose={onClose}
    >
      <p>{t('reject.text')}</p>
      <TextArea label={t('reject.note')} rows={3} isProse submitsByKey {...form.bind('note')} />
    </FormDialog>
  )
}

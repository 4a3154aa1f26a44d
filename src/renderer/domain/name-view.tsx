import type { CallProblem } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { Result } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useForm } from '../stores/form.ts'
import type { NamedView } from '../ui/saved-views.tsx'
import { TextField } from '../ui/text-field.tsx'
import { FormDialog } from './form-dialog.tsx'

interface Props {
  readonly views: readonly NamedView[]
  /** Saves the current query under this name. */
  readonly onSave: (name: string) => Promise<Result<unknown, CallProblem>>
  readonly onClose: () => void
}

/** Asks for the name of a view; an existing view of that name is replaced. */
export function NameView({ views, onSave, onClose }: Props) {
  const { t } = useTranslation('ui')
  const form = useForm({
    kept: { name: '' },
    read: (draft) => ok(draft.name.trim()),
    save: onSave,
    onSaved: onClose,
    fieldOf: () => null,
    messageStays: 'untilSaved',
  })
  const name = form.draft.name.trim()
  const isTaken = views.some((view) => view.name === name)
  return (
    <FormDialog
      title={t('views.save')}
      submit={isTaken ? t('views.replace') : t('views.submit')}
      isReady={name !== ''}
      form={form}
      onClose={onClose}
    >
      <TextField label={t('views.name')} hint={isTaken ? t('views.taken') : t('views.hint')} {...form.bind('name')} />
    </FormDialog>
  )
}

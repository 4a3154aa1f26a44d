import type { SiteId } from '@galley/wire'
import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { TargetRow } from '../../../ipc/publishing.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { FormDialog } from '../../domain/form-dialog.tsx'
import { namedField, useForm } from '../../stores/form.ts'
import { draftOf, formOf } from './target-draft.ts'
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
  const form = useForm({
    kept: draftOf(target),
    read: (draft) => ok(draft),
    save: (draft) => catchUnexpected(bridge.call('saveTarget', formOf(site, draft, target === null))),
    onSaved: ({ name }) => onSaved(name.trim()),
    fieldOf: (problem, draft) => (problem.field === 'credentials' ? null : namedField(problem, draft)),
    messageStays: 'untilItsEdit',
  })
  return (
    <FormDialog
      title={target === null ? t('form.addTitle') : t('form.editTitle', { name: target.name })}
      size="large"
      submit={t(target === null ? 'form.submitAdd' : 'form.submitEdit')}
      isGuarded
      form={form}
      onClose={onClose}
    >
      <TargetFields site={site} target={target} form={form} />
    </FormDialog>
  )
}

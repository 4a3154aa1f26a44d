import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { TargetRow } from '../../../ipc/publishing.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { FormDialog } from '../../domain/form-dialog.tsx'
import { useForm } from '../../stores/form.ts'

interface Props {
  readonly target: TargetRow
  readonly onClose: () => void
}

/** Confirms the removal of a target; the focus starts on Cancel. */
export function RemoveTargetDialog({ target: { site, name }, onClose }: Props) {
  const { t } = useTranslation('publish')
  const bridge = useBridge()
  const form = useForm({
    kept: {},
    read: ok,
    save: () => catchUnexpected(bridge.call('removeTarget', { site, target: name })),
    onSaved: onClose,
  })
  return (
    <FormDialog
      title={t('removing.title', { name })}
      submit={t('removing.confirm')}
      isDanger
      form={form}
      onClose={onClose}
    >
      <p>{t('removing.text')}</p>
    </FormDialog>
  )
}

import type { MaterialId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ChangeForm } from '../../domain/change-form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMaterials } from './store.ts'

interface Props {
  readonly materialIds: readonly MaterialId[]
}

/** Blocks saves of these materials, with a reason that the editor shows. */
export function RefuseDialog({ materialIds }: Props) {
  const { t } = useTranslation('materials')
  const { refuse, setDialog } = useMaterials()
  const [reason, setReason] = useState('')
  const count = materialIds.length
  return (
    <ChangeForm
      title={t('refuse.title', { count })}
      submit={t('refuse.submit')}
      isReady={reason.trim() !== ''}
      onSubmit={() => refuse(materialIds, reason.trim())}
      onClose={() => setDialog({ kind: 'none' })}
    >
      <p>{t('refuse.text')}</p>
      <TextField label={t('refuse.reason')} hint={t('refuse.reasonHint')} isProse value={reason} onChange={setReason} />
    </ChangeForm>
  )
}

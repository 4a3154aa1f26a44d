import type { MaterialRow } from '@galley/library/records'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ChangeForm } from '../../domain/change-form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMaterials } from './store.ts'

interface Props {
  readonly material: MaterialRow
}

/** Changes a material's title and slug; its id stays. */
export function RenameDialog({ material }: Props) {
  const { t } = useTranslation('materials')
  const { rename, setDialog } = useMaterials()
  const [title, setTitle] = useState(material.title)
  const [slug, setSlug] = useState(material.slug)
  return (
    <ChangeForm
      title={t('rename.title')}
      submit={t('rename.submit')}
      isReady={title.trim() !== '' && slug.trim() !== ''}
      onSubmit={() => rename(material.materialId, title, slug)}
      onClose={() => setDialog({ kind: 'none' })}
    >
      <TextField label={t('form.name')} isProse value={title} onChange={setTitle} />
      <TextField label={t('rename.slug')} hint={t('rename.slugHint')} value={slug} onChange={setSlug} />
    </ChangeForm>
  )
}

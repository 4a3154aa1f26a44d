import type { MaterialId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { TagsForm } from '../../domain/tags-form.tsx'
import { useMaterialRows, useMaterials } from './store.ts'

interface Props {
  readonly materialIds: readonly MaterialId[]
}

/** Adds and removes tags on all of these materials; other tags stay. */
export function TagsDialog({ materialIds }: Props) {
  const { t } = useTranslation('materials')
  const { facets, tag, setDialog } = useMaterials()
  const rows = useMaterialRows((state) => state.rows)
  return (
    <TagsForm
      title={t('tagging.title', { count: materialIds.length })}
      offered={facets?.tags.map(({ value }) => value) ?? []}
      tagged={[...rows.values()].filter((row) => materialIds.includes(row.materialId)).map(({ tags }) => tags)}
      count={materialIds.length}
      onSubmit={(add, remove) => tag(materialIds, add, remove)}
      onClose={() => setDialog({ kind: 'none' })}
    />
  )
}

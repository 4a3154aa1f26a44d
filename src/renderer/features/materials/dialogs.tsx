import type { MaterialRow, PruneReport } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ChangeForm } from '../../domain/change-form.tsx'
import { TagsForm } from '../../domain/tags-form.tsx'
import { useProblemText } from '../../i18n/problem-text.ts'
import { NameView } from '../../ui/saved-views.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { NewMaterial } from './new-material.tsx'
import { OpenEditor } from './open-editor.tsx'
import { useMaterialRows, useMaterialViews, useMaterials } from './store.ts'

interface TagsDialogProps {
  readonly materialIds: readonly MaterialId[]
}

/** Adds and removes tags on all of these materials; other tags stay. */
function TagsDialog({ materialIds }: TagsDialogProps) {
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

interface RenameDialogProps {
  readonly material: MaterialRow
}

/** Changes a material's title and slug; its id stays. */
function RenameDialog({ material }: RenameDialogProps) {
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

interface RefuseDialogProps {
  readonly materialIds: readonly MaterialId[]
}

/** Blocks saves of these materials, with a reason that the editor shows. */
function RefuseDialog({ materialIds }: RefuseDialogProps) {
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

interface Props {
  /** Called after materials were deleted. */
  readonly onDeleted: (materialIds: readonly MaterialId[], report: PruneReport) => void
}

/** The open dialog of the materials, if any. */
export function MaterialDialogs({ onDeleted }: Props) {
  const dialog = useMaterials((state) => state.dialog)
  switch (dialog.kind) {
    case 'none':
      return null
    case 'new':
      return <NewMaterial named={dialog.materialId ?? ''} />
    case 'open':
      return <OpenEditor dialog={dialog} />
    case 'rename':
      return <RenameDialog material={dialog.material} />
    case 'tags':
      return <TagsDialog materialIds={dialog.materialIds} />
    case 'refuse':
      return <RefuseDialog materialIds={dialog.materialIds} />
    case 'delete': {
      const { materialIds } = dialog
      return <DeleteDialog materialIds={materialIds} onDeleted={(report) => onDeleted(materialIds, report)} />
    }
    case 'view':
      return <SaveViewDialog />
  }
}

/** Saves the table's current query as a view. */
function SaveViewDialog() {
  const problemText = useProblemText()
  const { question, setDialog } = useMaterials()
  const { views, save } = useMaterialViews()
  return (
    <NameView
      views={views}
      onSave={async (name) => {
        const saved = await save(name, JSON.stringify(question))
        return saved.ok ? null : problemText(saved.failure)
      }}
      onClose={() => setDialog({ kind: 'none' })}
    />
  )
}

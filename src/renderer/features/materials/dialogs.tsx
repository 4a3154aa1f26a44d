import type { MaterialRow, PruneReport } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { MaterialId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { FormDialog } from '../../domain/form-dialog.tsx'
import { NameView } from '../../domain/name-view.tsx'
import { TagsForm } from '../../domain/tags-form.tsx'
import { textOrNull } from '../../domain/typed-text.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { useForm } from '../../stores/form.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useOnline } from '../../ui/online.ts'
import { TextField } from '../../ui/text-field.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
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
  const form = useForm({
    kept: { title: material.title, slug: material.slug },
    read: (draft) => ok(draft),
    save: ({ title, slug }) => rename(material.materialId, title, slug),
    fieldOf: () => null,
    messageStays: 'untilSaved',
  })
  const { title, slug } = form.draft
  return (
    <FormDialog
      title={t('rename.title')}
      submit={t('rename.submit')}
      isReady={title.trim() !== '' && slug.trim() !== ''}
      form={form}
      onClose={() => setDialog({ kind: 'none' })}
    >
      <TextField label={t('form.name')} isProse {...form.bind('title')} />
      <TextField label={t('rename.slug')} hint={t('rename.slugHint')} {...form.bind('slug')} />
    </FormDialog>
  )
}

interface RefuseDialogProps {
  readonly materialIds: readonly MaterialId[]
}

/** Blocks saves of these materials, with a reason that the editor shows. */
function RefuseDialog({ materialIds }: RefuseDialogProps) {
  const { t } = useTranslation('materials')
  const { refuse, setDialog } = useMaterials()
  const form = useForm({
    kept: { reason: '' },
    read: ({ reason }) => ok(reason.trim()),
    save: (reason) => refuse(materialIds, reason),
    fieldOf: () => null,
    messageStays: 'untilSaved',
  })
  const count = materialIds.length
  return (
    <FormDialog
      title={t('refuse.title', { count })}
      submit={t('refuse.submit')}
      isReady={form.draft.reason.trim() !== ''}
      form={form}
      onClose={() => setDialog({ kind: 'none' })}
    >
      <p>{t('refuse.text')}</p>
      <TextField label={t('refuse.reason')} hint={t('refuse.reasonHint')} isProse {...form.bind('reason')} />
    </FormDialog>
  )
}

interface Props {
  /** Called after materials were deleted. */
  readonly onDeleted: (materialIds: readonly MaterialId[], report: PruneReport) => void
}

/** Opens a material not yet in the library, by id and title. `named`: the id to begin with. */
function NewMaterial({ named }: { readonly named: string }) {
  const { t } = useTranslation('materials')
  const problemText = useProblemText()
  const { open, opening, previewNew, setDialog } = useMaterials()
  const isOnline = useOnline()
  const close = (): void => setDialog({ kind: 'none' })
  const [materialId, setMaterialId] = useState(named)
  const [title, setTitle] = useState('')
  const isOwn = opening.kind === 'failed' && opening.materialId === materialId.trim()
  const problem = isOwn ? opening.problem : null
  const isAtField = problem?.field === 'materialId' || problem?.field === 'title'
  const isReady = materialId.trim() !== ''
  const isOpening = opening.kind === 'opening'
  const go = async (on: (materialId: MaterialId, title: string | null) => Promise<void>): Promise<void> => {
    if (isReady && !isOpening) await on(materialId.trim(), textOrNull(title))
  }
  return (
    <FormDialog
      title={t('form.title')}
      submit={isOpening ? t('opening') : t('form.submit')}
      isReady={isReady}
      form={{
        problem: isAtField ? null : problem,
        isSaving: isOpening,
        isChanged: false,
        submit: () => go(open),
      }}
      status={
        <Button look="quiet" aria-disabled={!isReady || isOpening} onClick={() => void go(previewNew)}>
          {t('form.metadata')}
        </Button>
      }
      onClose={close}
    >
      {!isOnline && <Banner tone="warning" text={t('offline')} />}
      <p>{t('form.text')}</p>
      <TextField
        label={t('form.id')}
        hint={t('form.idHint')}
        error={problem?.field === 'materialId' ? problemText(problem) : undefined}
        value={materialId}
        onChange={setMaterialId}
      />
      <TextField
        label={t('form.name')}
        error={problem?.field === 'title' ? problemText(problem) : undefined}
        isProse
        value={title}
        onChange={setTitle}
      />
    </FormDialog>
  )
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
  const { question, setDialog } = useMaterials()
  const { views, save } = useMaterialViews()
  return (
    <NameView
      views={views}
      onSave={(name) => save(name, JSON.stringify(question))}
      onClose={() => setDialog({ kind: 'none' })}
    />
  )
}

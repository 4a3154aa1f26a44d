import { readLanguage } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { MaterialId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { FormDialog } from '../../domain/form-dialog.tsx'
import { useLanguageHint } from '../../domain/language-hint.ts'
import { TagsForm } from '../../domain/tags-form.tsx'
import { useForm } from '../../stores/form.ts'
import { TextField } from '../../ui/text-field.tsx'
import { usePageRows, useSitePages } from './store.ts'

/** The open dialog of the pages, if any. */
export function PageDialogs() {
  const { t } = useTranslation('pages')
  const { dialog, tags, tag, setDialog } = useSitePages()
  const rows = usePageRows((state) => state.rows)
  if (dialog.kind === 'none') return null
  const { materialIds } = dialog
  if (dialog.kind === 'language') return <LanguageDialog materialIds={materialIds} />
  return (
    <TagsForm
      title={t('tagging', { count: materialIds.length })}
      offered={tags}
      tagged={[...rows.values()]
        .filter((row) => materialIds.includes(row.materialId))
        .map(({ settings }) => settings.tags)}
      count={materialIds.length}
      onSubmit={(add, remove) => tag(materialIds, add, remove)}
      onClose={() => setDialog({ kind: 'none' })}
    />
  )
}

/** The language of the selected pages; empty restores that of the page or the site. */
function LanguageDialog({ materialIds }: { readonly materialIds: readonly MaterialId[] }) {
  const { t } = useTranslation('pages')
  const { change, setDialog } = useSitePages()
  const form = useForm({
    kept: { language: '' },
    read: ({ language }) => ok(readLanguage(language)),
    save: (language) => change(materialIds, { language }),
    fieldOf: () => null,
    messageStays: 'untilSaved',
  })
  const typed = form.draft.language
  const hint = useLanguageHint()(typed)
  const isWrong = typed.trim() !== '' && readLanguage(typed) === null
  return (
    <FormDialog
      title={t('languageOf', { count: materialIds.length })}
      submit={t('save')}
      isReady={!isWrong}
      form={form}
      onClose={() => setDialog({ kind: 'none' })}
    >
      <TextField
        label={t('fields.language')}
        hint={hint ?? t('hints.language')}
        {...form.bind('language')}
        error={isWrong ? t('wrong.language') : undefined}
      />
    </FormDialog>
  )
}

import type { VersionRow } from '@galley/library/records'
import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { tagsIn } from '../../domain/typed-text.ts'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import type { VersionHandlers } from './version-handlers.ts'
import styles from './versions.module.css'

interface Props {
  readonly version: VersionRow
  readonly handlers: VersionHandlers
}

/** The note and tags of a version, with a Save button. */
export function VersionNotes({ version, handlers }: Props) {
  const { t } = useTranslation(['versions', 'ui'])
  const kept = { note: version.note, tagText: version.tags.join(', ') }
  const { draft, bind, undo, submit } = useForm({
    about: `notes ${version.versionId}`,
    kept,
    isWhole: true,
    read: ({ note, tagText }) => ok({ note, tags: tagsIn(tagText) }),
    save: (marks) => handlers.mark(version, marks),
  })
  const isChanged = draft.note !== kept.note || tagsIn(draft.tagText).join(',') !== version.tags.join(',')
  return (
    <form
      className={styles.notes}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) void submit()
      }}
    >
      <TextArea label={t('note')} isProse {...bind('note')} />
      <TextField label={t('tags')} hint={t('tagsHint')} {...bind('tagText')} />
      {isChanged && (
        <div className={styles.buttons}>
          <Button onClick={undo}>{t('ui:undo')}</Button>
          <Button look="primary" type="submit">
            {t('saveNotes')}
          </Button>
        </div>
      )}
    </form>
  )
}

import type { VersionRow } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { useVersions } from './store.ts'
import type { NoteDraft } from './store.ts'
import type { VersionHandlers } from './version-handlers.ts'
import styles from './versions.module.css'

interface Props {
  readonly version: VersionRow
  readonly handlers: VersionHandlers
}

/** The note and tags of a version, with a Save button. */
export function VersionNotes({ version, handlers }: Props) {
  const { t } = useTranslation(['versions', 'ui'])
  const { drafts, keepDraft, dropDraft } = useVersions()
  const kept = { note: version.note, tagText: version.tags.join(', ') }
  const draft = drafts.get(version.versionId)
  const { note, tagText } = draft ?? kept
  const write = (written: Partial<NoteDraft>): void => keepDraft(version.versionId, { note, tagText, ...written })
  const tags = tagText
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  const isChanged = note !== version.note || tags.join(',') !== version.tags.join(',')
  const undo = (): void => keepDraft(version.versionId, null)
  return (
    <form
      className={styles.notes}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) {
          void handlers.mark(version, { note, tags }).then((isKept) => isKept && dropDraft(version.versionId, draft))
        }
      }}
    >
      <TextArea label={t('note')} isProse value={note} onChange={(value) => write({ note: value })} />
      <TextField
        label={t('tags')}
        hint={t('tagsHint')}
        value={tagText}
        onChange={(value) => write({ tagText: value })}
      />
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

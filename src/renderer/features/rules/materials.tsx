import type { SiteRules } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { createStoreContext } from '../../context/provided.ts'
import { useFormats } from '../../i18n/formats.ts'
import { draftIn } from '../../stores/drafts.ts'
import type { DraftsState } from '../../stores/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Group } from '../../ui/group.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import styles from './rules.module.css'
import type { RulesState } from './store.ts'

/** Form input for blocking a material. */
export interface RefusalDraft {
  readonly materialId: MaterialId
  readonly reason: string
}

const emptyDraft: RefusalDraft = { materialId: '', reason: '' }

const [useRefusalDrafts, provideRefusalDrafts] = createStoreContext<DraftsState<RefusalDraft>>('drafts of refusals')
export { provideRefusalDrafts }

interface Props extends Pick<RulesState, 'refuse'> {
  readonly site: SiteId
  readonly materials: SiteRules['materials']
}

/** Materials whose saves are blocked individually. */
export function RefusedMaterials({ site, materials, refuse }: Props) {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const { draft, setDraft, dropDraft } = draftIn(useRefusalDrafts(), site, emptyDraft)
  const submit = async (): Promise<void> => {
    const materialId = draft.materialId.trim()
    if (materialId === '') return
    if (await refuse(materialId, draft.reason)) dropDraft()
  }
  return (
    <Group title={t('rules.materials')} text={materials.length === 0 ? t('rules.noMaterials') : undefined}>
      {materials.length > 0 && (
        <ul>
          {materials.map(({ materialId, reason, since }) => (
            <Entry key={materialId}>
              <div>
                <p>{materialId}</p>
                {reason !== '' && <p className={words.meta}>{reason}</p>}
              </div>
              <span className={words.meta}>{formats.dayAndMinute(since)}</span>
              <Button
                aria-label={t('rules.acceptNamed', { material: materialId })}
                onClick={() => void refuse(materialId, null)}
              >
                {t('rules.accept')}
              </Button>
            </Entry>
          ))}
        </ul>
      )}
      <form
        noValidate
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={t('rules.materialId')}
          value={draft.materialId}
          onChange={(materialId) => setDraft({ ...draft, materialId })}
        />
        <TextField
          label={t('rules.reason')}
          value={draft.reason}
          maxLength={500}
          onChange={(reason) => setDraft({ ...draft, reason })}
        />
        <Button type="submit">{t('rules.refuse')}</Button>
      </form>
    </Group>
  )
}

import { fieldMax } from '@galley/library/records'
import type { SiteRules } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Group } from '../../ui/group.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import styles from './rules.module.css'
import type { RulesState } from './store.ts'

interface Props extends Pick<RulesState, 'refuse'> {
  readonly site: SiteId
  readonly materials: SiteRules['materials']
}

/** Materials whose saves are blocked individually. */
export function RefusedMaterials({ site, materials, refuse }: Props) {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const { draft, bind, submit } = useForm({
    about: `refusal ${site}`,
    kept: { materialId: '', reason: '' },
    isWhole: true,
    read: (draft) => ok(draft),
    save: ({ materialId, reason }) => refuse(materialId.trim(), reason),
  })
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
          if (draft.materialId.trim() !== '') void submit()
        }}
      >
        <TextField label={t('rules.materialId')} {...bind('materialId')} />
        <TextField label={t('rules.reason')} maxLength={fieldMax.refusalReason} {...bind('reason')} />
        <Button type="submit">{t('rules.refuse')}</Button>
      </form>
    </Group>
  )
}

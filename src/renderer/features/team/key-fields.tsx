import { useTranslation } from 'react-i18next'

import type { Form } from '../../stores/form.ts'
import { Fields } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import type { TeamDraft } from './team-draft.ts'
import styles from './team.module.css'

interface Props {
  readonly form: Form<TeamDraft>
}

/** The access key of a bucket; the secret is never shown. */
export function KeyFields({ form: { bind } }: Props) {
  const { t } = useTranslation('team')
  return (
    <div className={styles.keys}>
      <Fields>
        <TextField label={t('form.keyId')} isRequired type="text" {...bind('keyId')} />
        <TextField label={t('form.keySecret')} isRequired type="password" {...bind('keySecret')} />
      </Fields>
      <p className={words.meta}>{t('form.keysHint')}</p>
    </div>
  )
}

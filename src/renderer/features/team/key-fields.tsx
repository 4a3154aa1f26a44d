import type { CallProblem } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { useProblemText } from '../../i18n/problem-text.ts'
import { Fields } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import type { TeamDraft } from './team-draft.ts'
import styles from './team.module.css'

type KeyDraft = Pick<TeamDraft, 'keyId' | 'keySecret'>

interface Props {
  readonly draft: KeyDraft
  /** At one of the two fields, or at none. */
  readonly problem: CallProblem | null
  readonly onChange: (change: Partial<KeyDraft>) => void
}

/** The access key of a bucket; the secret is never shown. */
export function KeyFields({ draft, problem, onChange }: Props) {
  const { t } = useTranslation('team')
  const problemText = useProblemText()
  const field = (key: keyof KeyDraft, label: string, type: 'text' | 'password') => (
    <TextField
      label={label}
      error={problem?.field === key ? problemText(problem) : undefined}
      isRequired
      type={type}
      name={key}
      value={draft[key]}
      onChange={(value) => onChange({ [key]: value })}
    />
  )
  return (
    <div className={styles.keys}>
      <Fields>
        {field('keyId', t('form.keyId'), 'text')}
        {field('keySecret', t('form.keySecret'), 'password')}
      </Fields>
      <p className={words.meta}>{t('form.keysHint')}</p>
    </div>
  )
}

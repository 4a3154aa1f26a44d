import type { SitePublishing } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { Field } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import styles from './design.module.css'
import { useForm } from './use-form.ts'

/** Custom markup for all pages of the site. */
export function CodeForm({ publishing }: { readonly publishing: SitePublishing }) {
  const { t } = useTranslation('design')
  const { typed = {}, outcome, isRefused, write, submit } = useForm('code')
  const draft = { headSnippet: publishing.headSnippet, bodySnippet: publishing.bodySnippet, ...typed }
  return (
    <FormGroup
      text={t('code.text')}
      submit={t('save')}
      outcome={outcome}
      isRefused={isRefused}
      onSubmit={() => void submit(draft)}
    >
      {(['headSnippet', 'bodySnippet'] as const).map((key) => (
        <Field key={key} label={t(`code.${key}`)}>
          {(control) => (
            <textarea
              {...control}
              rows={8}
              wrap="off"
              spellCheck={false}
              maxLength={100_000}
              value={draft[key]}
              className={`${control.className ?? ''} ${styles.code}`}
              onChange={(event) => write({ ...typed, [key]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </FormGroup>
  )
}

import { useEffect, useRef } from 'react'

import type { CallProblem } from '../../../contract/ipc.ts'
import type { SecretPresence } from '../../../contract/site.ts'
import { texts } from '../../texts.ts'
import { Field } from '../../ui/field.tsx'
import type { SiteDraft } from './site-draft.ts'
import styles from './site-fields.module.css'

const words = texts.sites.form

type TextKey = 'id' | 'name' | 'baseUrl' | 'apiKey' | 'callbackUrl' | 'publicUrl' | 'secret'
type ChoiceKey = 'environment' | 'unknownMaterials' | 'callbackAuth'

interface Props {
  readonly draft: SiteDraft
  /** What the keychain holds; null while the site does not exist yet. */
  readonly secret: SecretPresence | null
  readonly problem: CallProblem | null
  readonly onChange: (change: Partial<SiteDraft>) => void
}

/** The fields of a site in three groups: which service, where its callbacks come in, where media become public. */
export function SiteFields({ draft, secret, problem, onChange }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem !== null) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem])

  const errorAt = (key: keyof SiteDraft): string | undefined => (problem?.field === key ? problem.message : undefined)
  const text = (
    key: TextKey,
    label: string,
    hint?: string,
    more?: { type?: 'url' | 'password'; readOnly?: boolean; placeholder?: string },
  ) => (
    <Field label={label} hint={hint} error={errorAt(key)}>
      {(control) => (
        <input
          {...control}
          {...more}
          name={key}
          value={draft[key]}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ [key]: event.target.value })}
        />
      )}
    </Field>
  )
  const choice = (key: ChoiceKey, label: string, options: Readonly<Record<string, string>>, hint?: string) => (
    <Field label={label} hint={hint} error={errorAt(key)}>
      {(control) => (
        <select
          {...control}
          name={key}
          value={draft[key]}
          onChange={(event) => onChange({ [key]: event.target.value })}
        >
          {Object.entries(options).map(([value, option]) => (
            <option key={value} value={value}>
              {option}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
  const secretHint = secret === null ? words.secretHint : secret === 'stored' ? words.secretKept : words.secretAbsent

  return (
    <div ref={fields} className={styles.groups}>
      <div className={styles.pair}>
        {text('name', words.name)}
        {choice('environment', words.environment, texts.sites.environmentNames)}
      </div>
      {text('id', words.id, words.idHint, { readOnly: secret !== null })}
      <fieldset className={styles.group}>
        <legend>{words.service}</legend>
        {text('baseUrl', words.baseUrl, undefined, { type: 'url', placeholder: 'https://' })}
        <div className={styles.pair}>
          {text('apiKey', words.apiKey)}
          {text('secret', words.secret, secretHint, { type: 'password' })}
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{words.callbacks}</legend>
        {text('callbackUrl', words.callbackUrl, words.callbackUrlHint, { type: 'url', placeholder: 'https://' })}
        <div className={styles.pair}>
          {choice(
            'callbackAuth',
            words.callbackAuth,
            { none: words.authNone, basic: words.authBasic, bearer: words.authBearer },
            words.authHint,
          )}
          {choice('unknownMaterials', words.unknownMaterials, {
            refuse: words.unknownRefuse,
            accept: words.unknownAccept,
          })}
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{words.media}</legend>
        {text('publicUrl', words.publicUrl, words.publicUrlHint, { type: 'url' })}
        <Field label={words.allowedDomains} hint={words.allowedDomainsHint} error={errorAt('allowedDomains')}>
          {(control) => (
            <textarea
              {...control}
              name="allowedDomains"
              rows={2}
              value={draft.allowedDomains}
              spellCheck={false}
              onChange={(event) => onChange({ allowedDomains: event.target.value })}
            />
          )}
        </Field>
      </fieldset>
    </div>
  )
}

import { plainAddresses } from '@galley/library/records'
import type { CredentialField, SecretPresence } from '@galley/library/records'
import { useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextArea, draftTextField, useFocusOnError } from '../../ui/text-field.tsx'
import type { TextFieldOptions } from '../../ui/text-field.tsx'
import { formOf, unreachableIn } from './site-draft.ts'
import type { SiteDraft } from './site-draft.ts'
import styles from './site-fields.module.css'

type TextKey = 'id' | 'name' | 'baseUrl' | 'apiKey' | 'callbackUrl' | 'publicUrl' | 'signatureHeader' | 'secret'
type LinesKey = 'allowedDomains' | 'downloadOrigins'
type ChoiceKey = 'environment' | 'unknownMaterials' | 'callbackAuth'

interface Props {
  readonly draft: SiteDraft
  /** The stored secret; null while the site is new. */
  readonly secret: SecretPresence | null
  /** The stored secret is not used with another service. */
  readonly isServiceChanged: boolean
  readonly problems: readonly CallProblem[]
  readonly secretInput: RefObject<HTMLInputElement | null>
  readonly onChange: (change: Partial<SiteDraft>) => void
}

const required: ReadonlySet<TextKey> = new Set(['id', 'baseUrl', 'apiKey', 'callbackUrl'])

/** The collapsed fields. */
const moreFields = [
  'callbackAuth',
  'unknownMaterials',
  'signatureHeader',
  'downloadOrigins',
  'publicUrl',
  'allowedDomains',
] as const satisfies readonly (keyof SiteDraft)[]

/** Main's warning about such an address, shown before it is submitted. */
const plainHttp: CallProblem = { code: 'invalid_site', state: 'plain_http' }

/** Field components, each with its validation error. */
function useControls({
  draft,
  problems,
  secretInput,
  onChange,
}: Pick<Props, 'draft' | 'problems' | 'secretInput' | 'onChange'>) {
  const { t } = useTranslation('sites')
  const problemText = useProblemText()
  const plainHttpFields = plainAddresses({ downloadOrigins: [], ...formOf(draft) }).map(({ field }) => field)
  const isRefused = (key: keyof SiteDraft): boolean =>
    !draft.allowHttp && plainHttpFields.includes(key as CredentialField)
  const errorAt = (key: keyof SiteDraft): string | undefined => {
    const unreachable = unreachableIn(draft).find(({ field }) => field === key)
    if (unreachable !== undefined) return problemText(unreachable)
    if (isRefused(key)) return problemText(plainHttp)
    const problem = problems.find(({ field, state }) => field === key && state !== 'plain_http')
    return problem && problemText(problem)
  }
  /** Shown below the first plain-http address; applies to all of them. */
  const httpConsent = (key: CredentialField) =>
    plainHttpFields[0] === key && (
      <Checkbox
        label={t('form.allowHttp')}
        isChecked={draft.allowHttp}
        onChange={(allowHttp) => onChange({ allowHttp })}
      />
    )
  const field = draftTextField<TextKey>({ draft, errorAt, onChange: (key, value) => onChange({ [key]: value }) })
  const text = (key: TextKey, label: string, options: TextFieldOptions = {}) =>
    field(key, label, { ...options, isRequired: required.has(key), ref: key === 'secret' ? secretInput : undefined })
  const lines = (key: LinesKey, label: string, hint: string) => (
    <TextArea
      label={label}
      hint={hint}
      error={errorAt(key)}
      name={key}
      value={draft[key]}
      onChange={(value) => onChange({ [key]: value })}
    />
  )
  const choice = (key: ChoiceKey, label: string, options: Readonly<Record<string, string>>, hint?: string) => (
    <SelectField
      label={label}
      hint={hint}
      error={errorAt(key)}
      name={key}
      value={draft[key]}
      options={Object.entries(options).map(([value, label]) => ({ value, label }))}
      onChange={(value) => onChange({ [key]: value })}
    />
  )
  return { text, lines, choice, httpConsent }
}

/** A site's fields: the required ones, and the rest collapsed. */
export function SiteFields({ draft, secret, isServiceChanged, problems, secretInput, onChange }: Props) {
  const { t } = useTranslation('sites')
  const fields = useFocusOnError(problems.length > 0 ? problems : null)
  const wrong = [...problems, ...unreachableIn(draft)]
  const isMoreWrong = wrong.some(({ field }) => moreFields.some((key) => key === field))
  // Rarely needed fields stay collapsed, unless one of them has an error.
  const [isMoreOpen, setMoreOpen] = useState(secret !== null)
  if (isMoreWrong && !isMoreOpen) setMoreOpen(true)

  const { text, lines, choice, httpConsent } = useControls({ draft, problems, secretInput, onChange })
  const keptHint = secret === 'stored' ? t('form.secretKept') : t('form.secretAbsent')
  const secretHint = secret === null ? t('form.secretHint') : isServiceChanged ? t('form.secretAgain') : keptHint

  return (
    <div ref={fields} className={styles.groups}>
      <div className={styles.pair}>
        {text('name', t('form.name'))}
        {choice('environment', t('form.environment'), {
          dev: t('environmentNames.dev'),
          prod: t('environmentNames.prod'),
        })}
      </div>
      {text('id', t('form.id'), { hint: t('form.idHint'), readOnly: secret !== null })}
      {text('baseUrl', t('form.baseUrl'), { type: 'url', placeholder: 'https://' })}
      {httpConsent('baseUrl')}
      <div className={styles.pair}>
        {text('apiKey', t('form.apiKey'))}
        {text('secret', t('form.secret'), { hint: secretHint, type: 'password' })}
      </div>
      {text('callbackUrl', t('form.callbackUrl'), {
        hint: t('form.callbackUrlHint'),
        type: 'url',
        placeholder: 'https://',
      })}
      {httpConsent('callbackUrl')}
      <details className={styles.more} open={isMoreOpen} onToggle={(event) => setMoreOpen(event.currentTarget.open)}>
        <summary>{t('form.more')}</summary>
        <div className={styles.groups}>
          <div className={styles.pair}>
            {choice(
              'callbackAuth',
              t('form.callbackAuth'),
              { none: t('form.authNone'), basic: t('form.authBasic'), bearer: t('form.authBearer') },
              t('form.authHint'),
            )}
            {choice('unknownMaterials', t('form.unknownMaterials'), {
              refuse: t('form.unknownRefuse'),
              accept: t('form.unknownAccept'),
            })}
          </div>
          {text('signatureHeader', t('form.signatureHeader'), { hint: t('form.signatureHeaderHint') })}
          {lines('downloadOrigins', t('form.downloadOrigins'), t('form.downloadOriginsHint'))}
          {httpConsent('downloadOrigins')}
          {text('publicUrl', t('form.publicUrl'), { hint: t('form.publicUrlHint'), type: 'url' })}
          {lines('allowedDomains', t('form.allowedDomains'), t('form.allowedDomainsHint'))}
        </div>
      </details>
    </div>
  )
}

import { isPublicService, plainAddresses } from '@galley/library/records'
import type { CredentialField, SecretPresence } from '@galley/library/records'
import { keysIn } from '@galley/wire'
import { useState } from 'react'
import type { ClipboardEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { ReachHelp } from '../../domain/reach-help.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import type { Form } from '../../stores/form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextArea, TextField, useFocusOnError } from '../../ui/text-field.tsx'
import type { TextFieldOptions } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { readPasted } from './pasted-site.ts'
import type { PastedSite } from './pasted-site.ts'
import { formOf, unreachableIn } from './site-draft.ts'
import type { SiteDraft } from './site-draft.ts'
import styles from './site-fields.module.css'

type TextKey = 'id' | 'name' | 'baseUrl' | 'apiKey' | 'callbackUrl' | 'publicUrl' | 'signatureHeader' | 'secret'
type LinesKey = 'allowedDomains' | 'downloadOrigins'
type ChoiceKey = 'environment' | 'unknownMaterials' | 'callbackAuth'

const pastedFields = ['baseUrl', 'apiKey', 'secret', 'callbackUrl'] as const

/** Fills the fields from a text that the service sent, pasted here or into any field; the text itself is never shown. */
function usePasted({ edit }: Form<SiteDraft>) {
  const { t } = useTranslation('sites')
  const formats = useFormats()
  const [pasted, setPasted] = useState<PastedSite | null>(null)
  /** `few`: the number of values that must be recognised, or else the text is pasted as it is. */
  const paste = (event: ClipboardEvent, few: number): void => {
    const found = readPasted(event.clipboardData.getData('text/plain'))
    if (keysIn(found.fields).length < few) return
    event.preventDefault()
    event.stopPropagation()
    if (keysIn(found.fields).length > 0) edit(found.fields)
    setPasted(found)
  }
  const names = pastedFields.filter((field) => pasted?.fields[field] !== undefined).map((field) => t(`form.${field}`))
  const text =
    pasted === null
      ? ''
      : names.length === 0
        ? t('form.pastedNothing')
        : t(pasted.several.length > 0 ? 'form.pastedSeveral' : 'form.pasted', { fields: formats.list(names) })
  return { paste, text }
}

interface Props {
  readonly form: Form<SiteDraft>
  /** The stored secret; null while the site is new. */
  readonly secret: SecretPresence | null
  /** The stored secret is not used with another service. */
  readonly isServiceChanged: boolean
  readonly secretInput: RefObject<HTMLInputElement | null>
  /** Of the listener. */
  readonly port: string
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
function useControls({ form, secretInput }: Pick<Props, 'form' | 'secretInput'>) {
  const { t } = useTranslation('sites')
  const problemText = useProblemText()
  const { draft, edit, bind } = form
  const plainHttpFields = plainAddresses({ downloadOrigins: [], ...formOf(draft) }).map(({ field }) => field)
  const isRefused = (key: keyof SiteDraft): boolean =>
    !draft.allowHttp && plainHttpFields.includes(key as CredentialField)
  const errorAt = (key: keyof SiteDraft): string | undefined => {
    const unreachable = unreachableIn(draft).find(({ field }) => field === key)
    if (unreachable !== undefined) return problemText(unreachable)
    if (isRefused(key)) return problemText(plainHttp)
    return form.errorAt(key)
  }
  /** Shown below the first plain-http address; applies to all of them. */
  const httpConsent = (key: CredentialField) =>
    plainHttpFields[0] === key && (
      <Checkbox label={t('form.allowHttp')} isChecked={draft.allowHttp} onChange={(allowHttp) => edit({ allowHttp })} />
    )
  const text = (key: TextKey, label: string, options: TextFieldOptions = {}) => (
    <TextField
      {...options}
      label={label}
      isRequired={required.has(key)}
      ref={key === 'secret' ? secretInput : undefined}
      {...bind(key)}
      error={errorAt(key)}
    />
  )
  const lines = (key: LinesKey, label: string, hint: string) => (
    <TextArea label={label} hint={hint} {...bind(key)} error={errorAt(key)} />
  )
  const choice = (key: ChoiceKey, label: string, options: Readonly<Record<string, string>>, hint?: string) => (
    <SelectField
      label={label}
      hint={hint}
      error={errorAt(key)}
      name={key}
      value={draft[key]}
      options={Object.entries(options).map(([value, label]) => ({ value, label }))}
      onChange={(value) => edit({ [key]: value })}
    />
  )
  return { text, lines, choice, httpConsent, errorAt }
}

/** A site's fields: the required ones, and the rest collapsed. */
export function SiteFields({ form, secret, isServiceChanged, secretInput, port }: Props) {
  const isNew = secret === null
  const pasted = usePasted(form)
  const [typed, setTyped] = useState('')
  const { t } = useTranslation('sites')
  const fields = useFocusOnError(form.refusal)
  const { text, lines, choice, httpConsent, errorAt } = useControls({ form, secretInput })
  const unreachable = new Set(unreachableIn(form.draft).map(({ field }) => field))
  // A new site of a service on the internet has no callback URL that follows from the listener.
  const { baseUrl, callbackUrl } = form.draft
  const lacksReach = unreachable.has('callbackUrl') || (isPublicService(baseUrl.trim()) && callbackUrl.trim() === '')
  const isWrong = (key: keyof SiteDraft): boolean => form.refusal !== null && errorAt(key) !== undefined
  const isMoreWrong = moreFields.some((key) => isWrong(key) || unreachable.has(key))
  // Rarely needed fields stay collapsed, unless one of them has an error.
  const [isMoreOpen, setMoreOpen] = useState(secret !== null)
  if (isMoreWrong && !isMoreOpen) setMoreOpen(true)

  const keptHint = secret === 'stored' ? t('form.secretKept') : t('form.secretAbsent')
  const secretHint = secret === null ? t('form.secretHint') : isServiceChanged ? t('form.secretAgain') : keptHint

  return (
    <div ref={fields} className={styles.groups} onPaste={isNew ? (event) => pasted.paste(event, 2) : undefined}>
      {isNew && (
        <div onPaste={(event) => pasted.paste(event, 0)}>
          <TextField label={t('form.paste')} hint={t('form.pasteHint')} value={typed} onChange={setTyped} />
          <p role="status" className={words.meta}>
            {pasted.text}
          </p>
        </div>
      )}
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
      {lacksReach && <ReachHelp {...form.draft} port={port} />}
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

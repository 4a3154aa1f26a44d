import type { SiteId } from '@galley/wire'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { TargetRow } from '../../../ipc/publishing.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import type { Form } from '../../stores/form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Fields } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { PathField, TextField, useFocusOnError } from '../../ui/text-field.tsx'
import type { TextFieldOptions } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import styles from './publish.module.css'
import { useTargets } from './store.ts'
import { credentialsOf } from './target-draft.ts'
import type { TargetDraft } from './target-draft.ts'

interface Props {
  readonly site: SiteId
  readonly target: TargetRow | null
  readonly form: Form<TargetDraft>
}

type TextKey = Exclude<keyof TargetDraft, 'kind' | 'folder' | 'compress' | 'isLive' | 'credentials' | 'keyFile'>

/** The fields of a target: common ones, those of its kind, and credentials. */
export function TargetFields({ site, target, form }: Props) {
  const { t } = useTranslation('publish')
  const { draft, edit, bind, errorAt } = form
  const bridge = useBridge()
  const zone = useTargets((state) => state.timeZone)
  const fields = useFocusOnError(form.refusal)
  const text = (key: TextKey, label: string, options: TextFieldOptions = {}) => (
    <TextField {...options} label={label} {...bind(key)} />
  )
  const chooseFolder = async (): Promise<void> => {
    const folder = await bridge.call('chooseTargetFolder', { site })
    if (folder !== null) edit({ folder })
  }
  const chooseKind = (kind: TargetDraft['kind']): void => {
    const [first = 'none'] = credentialsOf(kind, isStored && kind === target?.place.kind)
    edit({ kind, credentials: first })
  }
  const isStored = target?.credentials === 'stored'
  return (
    <div ref={fields} className={styles.fields}>
      {text('name', t('form.name'), {
        hint: t('form.nameHint'),
        isRequired: true,
        readOnly: target !== null,
      })}
      <SelectField
        label={t('form.kind')}
        value={draft.kind}
        onChange={chooseKind}
        options={(['folder', 's3', 'sftp'] as const).map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      {draft.kind === 'folder' && (
        <PathField
          label={t('form.folder')}
          hint={t('form.folderHint')}
          error={errorAt('folder')}
          path={draft.folder?.path ?? ''}
          placeholder={t('form.noFolder')}
          choose={t('form.choose')}
          onChoose={() => void chooseFolder()}
        />
      )}
      {draft.kind === 's3' && <BucketFields form={form} text={text} />}
      {draft.kind === 'sftp' && <ServerFields text={text} />}
      {draft.kind !== 'folder' && (
        <Credentials site={site} form={form} isStored={isStored && draft.kind === target.place.kind} text={text} />
      )}
      {text('publicUrl', t('form.publicUrl'), {
        hint: t('form.publicUrlHint'),
        type: 'url',
        placeholder: 'https://',
      })}
      {text('schedule', t('form.schedule'), {
        hint: [t('form.scheduleHint'), zone && t('form.scheduleZone', { zone })].filter(Boolean).join(' '),
        type: 'time',
      })}
      <div>
        <Checkbox label={t('form.live')} isChecked={draft.isLive} onChange={(isLive) => edit({ isLive })} />
        <p className={words.meta}>{t('form.liveHint')}</p>
      </div>
    </div>
  )
}

interface KindProps extends Pick<Props, 'form'> {
  readonly text: (key: TextKey, label: string, options?: TextFieldOptions) => ReactNode
}

function BucketFields({ form: { draft, edit }, text }: KindProps) {
  const { t } = useTranslation('publish')
  return (
    <>
      <Fields>
        {text('bucket', t('form.bucket'), { isRequired: true })}
        {text('prefix', t('form.prefix'))}
      </Fields>
      <Fields>
        {text('endpoint', t('form.endpoint'), {
          hint: t('form.endpointHint'),
          type: 'url',
          placeholder: 'https://',
        })}
        {text('region', t('form.region'), { hint: t('form.regionHint') })}
      </Fields>
      <div>
        <Checkbox label={t('form.compress')} isChecked={draft.compress} onChange={(compress) => edit({ compress })} />
        <p className={words.meta}>{t('form.compressHint')}</p>
      </div>
    </>
  )
}

function ServerFields({ text }: Pick<KindProps, 'text'>) {
  const { t } = useTranslation('publish')
  return (
    <>
      <div className={styles.server}>
        {text('user', t('form.user'), { isRequired: true })}
        {text('host', t('form.host'), { isRequired: true })}
        {text('port', t('form.port'), { isRequired: true })}
      </div>
      {text('path', t('form.path'), { hint: t('form.pathHint'), isRequired: true })}
    </>
  )
}

interface CredentialsProps extends KindProps, Pick<Props, 'site'> {
  readonly isStored: boolean
}

/** The credentials of the target. Stored ones are never shown. */
function Credentials({ site, form: { draft, edit, bind, errorAt }, isStored, text }: CredentialsProps) {
  const { t } = useTranslation('publish')
  const bridge = useBridge()
  const labels = {
    keep: t('form.keep'),
    none: t(draft.kind === 's3' ? 'form.noKeys' : 'form.noCredentials'),
    keys: t('form.keys'),
    password: t('form.password'),
    keyFile: t('form.keyFile'),
  }
  const chooseKey = async (): Promise<void> => {
    const keyFile = await bridge.call('chooseTargetKey', { site })
    if (keyFile !== null) edit({ keyFile })
  }
  return (
    <section aria-label={t('form.credentials')} className={styles.credentials}>
      <SelectField
        label={t('form.credentials')}
        hint={t('form.credentialsHint')}
        {...bind('credentials')}
        options={credentialsOf(draft.kind, isStored).map((value) => ({ value, label: labels[value] }))}
      />
      {draft.credentials === 'keys' && (
        <Fields>
          {text('keyId', t('form.keyId'), { isRequired: true })}
          {text('keySecret', t('form.keySecret'), { isRequired: true, type: 'password' })}
        </Fields>
      )}
      {draft.credentials === 'password' && text('password', t('form.password'), { isRequired: true, type: 'password' })}
      {draft.credentials === 'keyFile' && (
        <>
          <PathField
            label={t('form.keyFileName')}
            error={errorAt('keyFile')}
            path={draft.keyFile?.path ?? ''}
            placeholder={t('form.noKeyFile')}
            choose={t('form.choose')}
            onChoose={() => void chooseKey()}
          />
          {text('passphrase', t('form.passphrase'), { type: 'password' })}
        </>
      )}
    </section>
  )
}

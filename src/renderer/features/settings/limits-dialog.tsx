import type { SiteSummary } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { FormDialog } from '../../domain/form-dialog.tsx'
import { useForm } from '../../stores/form.ts'
import type { Form } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Bar } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { BucketFields } from './bucket-fields.tsx'
import { limitedForm, limitsOf, wrongFields } from './limits-draft.ts'
import type { LimitsDraft } from './limits-draft.ts'
import { useSiteList } from './sites-store.ts'

interface Props {
  readonly site: SiteSummary
  readonly onClose: () => void
}

/** Maps site fields to form fields. */
const fieldOf: Readonly<Record<string, keyof LimitsDraft>> = {
  maxContentBytes: 'maxContentMb',
  requestTimeoutMs: 'requestSeconds',
  downloadTimeoutMs: 'downloadSeconds',
  publish: 'place',
  s3Endpoint: 'endpoint',
  s3Region: 'region',
  bucketKeys: 'keySecret',
}

type TextKey = Exclude<keyof LimitsDraft, 'publish' | 'chosenFolder' | 'isPublicChecked' | 'areKeysForgotten'>
const numbers: ReadonlySet<TextKey> = new Set(['maxContentMb', 'requestSeconds', 'downloadSeconds'])

const wrongWords: Readonly<
  Partial<Record<keyof LimitsDraft, `sites.limiting.${'noFolder' | 'noKeyId' | 'noKeySecret'}`>>
> = {
  place: 'sites.limiting.noFolder',
  keyId: 'sites.limiting.noKeyId',
  keySecret: 'sites.limiting.noKeySecret',
}

/** A site's size and time limits, and where its media are published. */
export function LimitsDialog({ site, onClose }: Props) {
  const { t } = useTranslation('settings')
  const save = useSiteList((state) => state.save)
  const form = useForm({
    kept: limitsOf(site),
    read: (draft) => {
      const wrong = wrongFields(draft)
      return wrong.length === 0
        ? ok(limitedForm(site, draft))
        : fail(Object.fromEntries(wrong.map((key) => [key, t(wrongWords[key] ?? 'sites.limiting.wrong')])))
    },
    save,
    onSaved: onClose,
    fieldOf: ({ field }) => fieldOf[field ?? ''] ?? null,
  })
  const field = (key: TextKey, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      readOnly={key === 'place' && form.draft.publish === 'folder'}
      type={key === 'keySecret' ? 'password' : 'text'}
      inputMode={numbers.has(key) ? 'decimal' : 'text'}
      {...form.bind(key)}
    />
  )
  return (
    <FormDialog
      title={t('sites.limiting.title', { name: site.name })}
      submit={t('save')}
      isGuarded
      form={form}
      onClose={onClose}
    >
      {field('maxContentMb', t('sites.limiting.maxContent'), t('sites.limiting.maxContentHint'))}
      {field('requestSeconds', t('sites.limiting.requestTimeout'))}
      {field('downloadSeconds', t('sites.limiting.downloadTimeout'))}
      <PublishFields site={site} form={form} field={field} />
    </FormDialog>
  )
}

interface PublishProps {
  readonly site: SiteSummary
  readonly form: Form<LimitsDraft>
  readonly field: (key: TextKey, label: string, hint?: string) => ReactNode
}

/** Where the media of a site are published. */
function PublishFields({ site, form: { draft, edit }, field }: PublishProps) {
  const { t } = useTranslation('settings')
  const { chooseFolder, bucketKeys } = useSiteList()
  const choosePlace = async (): Promise<void> => {
    const chosen = await chooseFolder(site.id)
    if (chosen !== null) edit({ place: chosen.path, chosenFolder: chosen.token })
  }
  return (
    <>
      <SelectField
        label={t('sites.limiting.publish')}
        value={draft.publish}
        options={[
          { value: 'listener', label: t('sites.limiting.listener') },
          { value: 'folder', label: t('sites.limiting.folder') },
          { value: 's3', label: t('sites.limiting.s3') },
        ]}
        onChange={(publish) => edit({ publish, place: '', chosenFolder: null })}
      />
      {draft.publish !== 'listener' && <p className={words.explanation}>{t('sites.limiting.movedText')}</p>}
      {draft.publish === 'folder' && (
        <>
          {field('place', t('sites.limiting.folderPath'))}
          <Bar>
            <Button onClick={() => void choosePlace()}>{t('sites.limiting.choose')}</Button>
          </Bar>
        </>
      )}
      {draft.publish === 's3' && (
        <BucketFields stored={site.bucketKeys} draft={draft} field={field} readVariables={bucketKeys} onChange={edit} />
      )}
    </>
  )
}

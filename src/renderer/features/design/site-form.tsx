import { outgoingRules } from '@galley/library/records'
import type { SitePublishing } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useLanguageHint } from '../../domain/language-hint.ts'
import { outgoingKeys } from '../../domain/outgoing-keys.ts'
import { PagePicker } from '../../domain/page-picker.tsx'
import { Field, Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import type { TextFieldOptions } from '../../ui/text-field.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { siteChanges, siteDraftOf } from './site-draft.ts'
import type { SiteDraft, WrongField } from './site-draft.ts'
import { useForm } from './use-form.ts'

interface Props {
  readonly site: SiteId
  readonly publishing: SitePublishing
}

/** The input and its fields. */
function useSiteFields(publishing: SitePublishing) {
  const { t } = useTranslation('design')
  const { typed = {}, write, refuse, submit, ...form } = useForm('site')
  const [wrong, setWrong] = useState<readonly WrongField[]>([])
  const draft = { ...siteDraftOf(publishing), ...typed }
  const set = (change: Partial<SiteDraft>): void => {
    setWrong([])
    write({ ...typed, ...change })
  }
  const save = async (): Promise<void> => {
    const changes = siteChanges(draft)
    setWrong(changes.ok ? [] : changes.failure)
    if (changes.ok) await submit(changes.value)
    else refuse()
  }
  const errorOf = (field: WrongField): string | undefined => (wrong.includes(field) ? t(`wrong.${field}`) : undefined)
  const line = (
    key: 'language' | 'baseUrl' | 'postsPerPage',
    label: string,
    hint?: string,
    options: Pick<TextFieldOptions, 'placeholder' | 'inputMode'> = {},
  ) => (
    <TextField
      label={label}
      hint={hint}
      error={errorOf(key)}
      {...options}
      maxLength={2000}
      value={draft[key]}
      onChange={(value) => set({ [key]: value })}
    />
  )
  const lines = (key: 'description' | 'footer', label: string, hint: string, maxLength: number) => (
    <TextArea
      label={label}
      hint={hint}
      maxLength={maxLength}
      isProse
      value={draft[key]}
      onChange={(value) => set({ [key]: value })}
    />
  )
  return { ...form, draft, set, save, errorOf, line, lines }
}

/** All zones by name, in order. */
const zonesWith = (name: string): readonly string[] =>
  [...new Set([name, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()

/** The texts of a site, and which versions it publishes. */
export function SiteForm({ site, publishing }: Props) {
  const { t } = useTranslation('design')
  const languageHint = useLanguageHint()
  const { draft, set, save, errorOf, line, lines, outcome, isRefused } = useSiteFields(publishing)
  return (
    <FormGroup
      text={t('site.text')}
      submit={t('save')}
      outcome={outcome}
      isRefused={isRefused}
      onSubmit={() => void save()}
    >
      <Fields>
        <SelectField
          label={t('site.home')}
          value={draft.homeKind}
          options={(['listing', 'page'] as const).map((value) => ({ value, label: t(`site.homes.${value}`) }))}
          onChange={(homeKind) => set({ homeKind })}
        />
        {draft.homeKind === 'page' && (
          <Field label={t('site.homePage')} error={errorOf('homeId')}>
            {(control) => (
              <PagePicker {...control} site={site} materialId={draft.homeId} onChange={(homeId) => set({ homeId })} />
            )}
          </Field>
        )}
        {line('postsPerPage', t('site.postsPerPage'), undefined, { inputMode: 'numeric' })}
      </Fields>
      <Fields>
        {line('baseUrl', t('site.baseUrl'), t('site.baseUrlHint'), { placeholder: 'https://', inputMode: 'url' })}
        {line('language', t('site.language'), languageHint(draft.language))}
        <SelectField
          label={t('site.timeZone')}
          hint={t('site.timeZoneHint')}
          value={draft.timeZone}
          options={zonesWith(publishing.timeZone).map((zone) => ({ value: zone, label: zone }))}
          onChange={(zone) => set({ timeZone: zone })}
        />
      </Fields>
      {lines('description', t('site.description'), t('site.descriptionHint'), 1000)}
      {lines('footer', t('site.footer'), t('site.footerHint'), 2000)}
      <SelectField
        label={t('site.outgoing')}
        hint={t('site.outgoingHint')}
        value={draft.outgoing}
        options={outgoingRules.map((value) => ({ value, label: t(`site.outgoingRules.${outgoingKeys[value]}`) }))}
        onChange={(outgoing) => set({ outgoing })}
      />
    </FormGroup>
  )
}

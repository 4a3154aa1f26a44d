import { fieldMax, outgoingRules } from '@galley/library/records'
import type { SitePublishing } from '@galley/library/records'
import { fail } from '@galley/wire'
import type { SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useLanguageHint } from '../../domain/language-hint.ts'
import { outgoingKeys } from '../../domain/outgoing-keys.ts'
import { PagePicker } from '../../domain/page-picker.tsx'
import { Field, Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { useDesignForm } from './design-form.ts'
import { siteChanges, siteDraftOf } from './site-draft.ts'

interface Props {
  readonly site: SiteId
  readonly publishing: SitePublishing
}

/** All zones by name, in order. */
const zonesWith = (name: string): readonly string[] =>
  [...new Set([name, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()

/** The texts of a site, and which versions it publishes. */
export function SiteForm({ site, publishing }: Props) {
  const { t } = useTranslation('design')
  const languageHint = useLanguageHint()
  const form = useDesignForm('site', siteDraftOf(publishing), (typed) => {
    const changes = siteChanges(typed)
    return changes.ok ? changes : fail(Object.fromEntries(changes.failure.map((field) => [field, t(`wrong.${field}`)])))
  })
  const { draft, bind } = form
  const page = bind('homeId')
  return (
    <FormGroup text={t('site.text')} submit={t('save')} form={form}>
      <Fields>
        <SelectField
          label={t('site.home')}
          options={(['listing', 'page'] as const).map((value) => ({ value, label: t(`site.homes.${value}`) }))}
          {...bind('homeKind')}
        />
        {draft.homeKind === 'page' && (
          <Field label={t('site.homePage')} error={page.error}>
            {(control) => <PagePicker {...control} site={site} materialId={page.value} onChange={page.onChange} />}
          </Field>
        )}
        <TextField label={t('site.postsPerPage')} inputMode="numeric" {...bind('postsPerPage')} />
      </Fields>
      <Fields>
        <TextField
          label={t('site.baseUrl')}
          hint={t('site.baseUrlHint')}
          placeholder="https://"
          inputMode="url"
          maxLength={fieldMax.url}
          {...bind('baseUrl')}
        />
        <TextField label={t('site.language')} hint={languageHint(draft.language)} {...bind('language')} />
        <SelectField
          label={t('site.timeZone')}
          hint={t('site.timeZoneHint')}
          options={zonesWith(publishing.timeZone).map((zone) => ({ value: zone, label: zone }))}
          {...bind('timeZone')}
        />
      </Fields>
      <TextArea
        label={t('site.description')}
        hint={t('site.descriptionHint')}
        maxLength={fieldMax.description}
        isProse
        {...bind('description')}
      />
      <TextArea
        label={t('site.footer')}
        hint={t('site.footerHint')}
        maxLength={fieldMax.footer}
        isProse
        {...bind('footer')}
      />
      <SelectField
        label={t('site.outgoing')}
        hint={t('site.outgoingHint')}
        options={outgoingRules.map((value) => ({ value, label: t(`site.outgoingRules.${outgoingKeys[value]}`) }))}
        {...bind('outgoing')}
      />
    </FormGroup>
  )
}

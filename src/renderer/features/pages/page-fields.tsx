import { fieldMax, pageStates, pageTypes, readAddress, timeZone } from '@galley/library/records'
import type { Ref } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { storedFileUrl } from '../../../ipc/stored-file-url.ts'
import { useLanguageHint } from '../../domain/language-hint.ts'
import { outgoingKeys } from '../../domain/outgoing-keys.ts'
import { useFormats } from '../../i18n/formats.ts'
import { itemsOf } from '../../media/item.ts'
import { MediaLightbox } from '../../media/media-lightbox.tsx'
import type { Form } from '../../stores/form.ts'
import { Group } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { TextFieldOptions } from '../../ui/text-field.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { fullAddress, wallIn } from './page-draft.ts'
import type { PageDraft } from './page-draft.ts'
import styles from './pages.module.css'
import { useChosenPage } from './store.ts'
import type { ShownPage } from './store.ts'

interface Props {
  readonly shown: ShownPage
  readonly form: Form<PageDraft>
}

type TextKey = Exclude<keyof PageDraft, 'pinned' | 'state' | 'type' | 'version' | 'socialImage'>

/** A text field of the form. */
function textFieldOf({ bind }: Form<PageDraft>) {
  return (
    key: TextKey,
    label: string,
    hint?: string,
    options: Pick<TextFieldOptions, 'maxLength' | 'placeholder' | 'type'> = {},
  ) => <TextField label={label} hint={hint} {...options} {...bind(key)} />
}

/** All settings of a page, in the order in which editors decide about them. */
export function PageFields({ ref, ...props }: Props & { readonly ref: Ref<HTMLDivElement> }) {
  const { t } = useTranslation('pages')
  return (
    <div ref={ref} className={styles.groups}>
      <Publication {...props} />
      <Group title={t('groups.preview')}>
        <Preview {...props} />
      </Group>
      <Group title={t('groups.addresses')}>
        <Addresses {...props} />
      </Group>
    </div>
  )
}

/** Whether, when, where and in which version the page is published. */
function Publication(props: Props) {
  const { t } = useTranslation('pages')
  const { form, shown } = props
  const text = textFieldOf(form)
  return (
    <Group title={t('groups.publication')}>
      <div className={styles.pair}>
        <SelectField
          label={t('columns.state')}
          options={pageStates.map((value) => ({ value, label: t(`states.${value}`) }))}
          {...form.bind('state')}
        />
        <SelectField
          label={t('fields.type')}
          options={pageTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
          {...form.bind('type')}
        />
      </div>
      <p className={words.meta}>{t(`hints.state.${form.draft.state}`)}</p>
      <AddressField {...props} />
      {text(
        'published',
        t('fields.published'),
        shown.page.settings.published === null ? t('hints.published') : undefined,
        {
          type: 'datetime-local',
        },
      )}
      <UpdatedField {...props} />
      {text('notBefore', t('fields.notBefore'), t('hints.notBefore'), { type: 'datetime-local' })}
      <p className={words.meta}>{t('hints.timeZone', { zone: timeZone(shown.publishing.timeZone).name })}</p>
      <VersionField {...props} />
      <Switch
        label={t('fields.pinned')}
        hint={t('hints.pinned')}
        isOn={form.draft.pinned}
        onChange={(pinned) => form.edit({ pinned })}
      />
    </Group>
  )
}

/** What readers are told of an update: the newest version after the first, nothing, or a chosen moment. */
function UpdatedField({ form, shown }: Props) {
  const { t } = useTranslation('pages')
  const { draft, kept, edit } = form
  const text = textFieldOf(form)
  const value = draft.updated === '' || draft.updated === 'none' ? draft.updated : 'at'
  const { page, publishing } = shown
  const suggested = wallIn(timeZone(publishing.timeZone), page.updated) || kept.published
  return (
    <>
      <SelectField
        label={t('fields.updated')}
        value={value}
        options={(['' as const, 'none', 'at'] as const).map((each) => ({
          value: each,
          label: t(`updates.${each || 'auto'}`),
        }))}
        onChange={(chosen) => edit({ updated: chosen === 'at' ? suggested : chosen })}
      />
      {value === 'at' && text('updated', t('fields.updatedAt'), undefined, { type: 'datetime-local' })}
    </>
  )
}

/** The address with its full URL, and what happens to the previous one. */
function AddressField({ form, shown }: Props) {
  const { t } = useTranslation('pages')
  const { draft, kept } = form
  const text = textFieldOf(form)
  const { page, publishing } = shown
  const { settings } = page
  const address = readAddress(draft.address)
  const isMoved = address.ok && draft.address !== kept.address && address.value !== page.address
  const isKnown = settings.path !== null || settings.published !== null
  const hint = isMoved
    ? isKnown
      ? t('hints.addressMoves', { old: `/${page.address ?? ''}/` })
      : t('hints.addressDecided')
    : isKnown
      ? undefined
      : t('hints.addressOpen')
  return (
    <div className={styles.address}>
      {text('address', t('fields.address'), hint, { maxLength: fieldMax.slug })}
      <p className={words.code}>
        {fullAddress(publishing.baseUrl, draft.address, publishing.home === page.materialId)}
      </p>
    </div>
  )
}

/** The newest version, the newest approved one, or a chosen one by number. */
function VersionField({ form, shown }: Props) {
  const { t } = useTranslation('pages')
  const formats = useFormats()
  const { versions } = shown
  const { version } = form.draft
  const isOffered =
    version === 'latest' || version === 'approved' || versions.some(({ versionId }) => versionId === version)
  return (
    <SelectField<string>
      label={t('fields.version')}
      hint={t(`hints.outgoing.${outgoingKeys[shown.publishing.outgoing]}`)}
      options={[
        { value: 'latest', label: t('versions.latest') },
        { value: 'approved', label: t('versions.approved') },
        ...versions.map(({ versionId, number, receivedAt, verdict }) => ({
          value: versionId,
          label: t(`versions.${verdict?.decision ?? 'saved'}At`, { number, when: formats.dayAndMinute(receivedAt) }),
        })),
        ...(isOffered ? [] : [{ value: version, label: version }]),
      ]}
      {...form.bind('version')}
    />
  )
}

/** The texts for lists, feeds and link previews. */
function Preview(props: Props) {
  const { t } = useTranslation('pages')
  const { form, shown } = props
  const text = textFieldOf(form)
  const languageHint = useLanguageHint()
  const { fallbacks, publishing } = shown
  const { draft } = form
  const language = fallbacks?.language ?? publishing.language
  return (
    <>
      <TextArea
        label={t('fields.description')}
        hint={t('hints.description')}
        rows={3}
        maxLength={fieldMax.description}
        placeholder={fallbacks?.description ?? ''}
        isProse
        {...form.bind('description')}
      />
      {text('tags', t('columns.tags'), t('hints.tags'))}
      {text('author', t('fields.author'), undefined, { maxLength: fieldMax.author })}
      {text('language', t('fields.language'), languageHint(draft.language === '' ? language : draft.language), {
        placeholder: language,
        maxLength: 100,
      })}
      <SocialImage {...props} />
    </>
  )
}

const first = ''
const elsewhere = '/'

/** The picture of link previews: the first of the page, another one, or a URL. */
function SocialImage({ form, shown: { page, fallbacks } }: Props) {
  const { t } = useTranslation(['pages', 'media'])
  const [isShown, setShown] = useState(false)
  const site = useChosenPage(({ of }) => of?.site)
  const versionId = page.outgoingVersionId ?? page.currentVersionId
  const { value: socialImage, error, onChange } = form.bind('socialImage')
  const pictures = fallbacks?.pictures ?? []
  const chosen = pictures.find(({ name }) => name === socialImage)
  const isElsewhere = socialImage !== first && chosen === undefined
  const fallback = fallbacks?.picture ?? null
  const picture = chosen ?? (socialImage === first && fallback !== null && 'name' in fallback ? fallback : null)
  return (
    <>
      <SelectField
        label={t('fields.socialImage')}
        hint={fallback === null && socialImage === first ? t('hints.noPicture') : undefined}
        value={isElsewhere ? elsewhere : socialImage}
        options={[
          { value: first, label: t('pictures.first') },
          ...pictures.map(({ name }) => ({ value: name, label: name })),
          { value: elsewhere, label: t('pictures.elsewhere') },
        ]}
        onChange={(value) => onChange(value === elsewhere ? 'https://' : value)}
      />
      {isElsewhere && (
        <TextField
          label={t('fields.pictureAddress')}
          error={error}
          type="url"
          maxLength={fieldMax.url}
          value={socialImage}
          onChange={(value) => onChange(value === '' ? 'https://' : value)}
        />
      )}
      {picture !== null && (
        <button
          type="button"
          className={styles.pictureButton}
          aria-label={t('media:show', { name: picture.name })}
          onClick={() => setShown(true)}
        >
          <img
            alt={t('pictures.alt', { name: picture.name })}
            src={storedFileUrl(picture)}
            className={styles.picture}
          />
        </button>
      )}
      {isShown && versionId !== null && site !== undefined && (
        <MediaLightbox
          of={{ site, materialId: page.materialId, before: null, after: versionId }}
          itemsIn={(rows) => itemsOf(rows.filter(({ after }) => after?.sha256 === picture?.sha256))}
          onClose={() => setShown(false)}
        />
      )}
    </>
  )
}

/** Previous addresses, and the canonical URL. */
function Addresses({ form }: Props) {
  const { t } = useTranslation('pages')
  const text = textFieldOf(form)
  return (
    <>
      <TextArea label={t('fields.redirects')} hint={t('hints.redirects')} {...form.bind('redirects')} />
      {text('canonical', t('fields.canonical'), t('hints.canonical'), {
        type: 'url',
        placeholder: 'https://',
        maxLength: fieldMax.url,
      })}
    </>
  )
}

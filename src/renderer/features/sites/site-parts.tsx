import { isSampleSite } from '@galley/library/records'
import type { CallbackRow, SiteSummary } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { FirstSave } from '../../domain/first-save.tsx'
import { FormDialog } from '../../domain/form-dialog.tsx'
import { Means } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { useForm } from '../../stores/form.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { SiteDialog } from './site-dialog.tsx'
import { siteIn, useSites } from './store.ts'
import type { SitesState } from './store.ts'

interface NoticeProps {
  /** Starts the emulator of the sample site. */
  readonly startSample: ReactNode
}

/** Warns that the current site is unconfirmed or its secret is unusable, since its saves are rejected until then. */
export function SiteNotice({ startSample }: NoticeProps) {
  const { t } = useTranslation(['sites', 'ui'])
  const state = useSites()
  const site = siteIn(state, useNavigation(currentSite))
  if (site === null) return null
  if (!site.isConfirmed) {
    return (
      <Banner tone="warning" text={t('unconfirmed')}>
        <Button onClick={() => void state.confirm(site.id)}>{t('confirm')}</Button>
        <Means code="site_unconfirmed" />
      </Banner>
    )
  }
  if (site.secret === 'stored') return null
  // The sample's secret was never typed and only lives as long as the app.
  if (isSampleSite(site)) {
    return (
      <Banner tone="info" text={t('sampleOff')}>
        {startSample}
      </Banner>
    )
  }
  const isEntered = site.secret === 'missing' || site.secret === 'changed'
  return (
    <Banner tone="warning" text={t(`secret.${site.secret}`)}>
      <Button onClick={() => (isEntered ? state.show({ kind: 'edit', site }) : void state.load())}>
        {isEntered ? t('enterSecret') : t('ui:retry')}
      </Button>
      <Means code={`secrets_unavailable_${site.secret}`} />
    </Banner>
  )
}

interface OthersProps {
  /** The sites with open problems. */
  readonly affected: readonly string[]
  readonly onShowHealth: () => void
}

/** Names the other sites that need attention; the current one has separate notices. */
export function OtherSitesNotice({ affected, onShowHealth }: OthersProps) {
  const { t } = useTranslation('sites')
  const formats = useFormats()
  const state = useSites()
  const current = useNavigation(currentSite)
  const names = affected.filter((id) => id !== current).flatMap((id) => siteIn(state, id)?.name ?? [])
  if (names.length === 0) return null
  return (
    <Banner tone="warning" text={t('others', { count: names.length, sites: formats.list(names) })}>
      <Button onClick={onShowHealth}>{t('showOthers')}</Button>
    </Banner>
  )
}

/** Shown while there are no sites. */
export function NoSites({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('sites')
  const show = useSites((state) => state.show)
  return (
    <Message title={t('none.title')} text={t('none.text')}>
      <Button look="primary" onClick={() => show({ kind: 'add' })}>
        {t('add')}
      </Button>
      {children}
    </Message>
  )
}

interface DialogsProps {
  readonly listenerUrl: string | null
  readonly onShowSave: (row: CallbackRow) => void
}

interface Props {
  readonly site: SiteSummary
  readonly remove: SitesState['remove']
  readonly show: SitesState['show']
}

/** Confirms the removal of a site; the focus starts on Cancel. */
function RemoveDialog({ site, remove, show }: Props) {
  const { t } = useTranslation('sites')
  const form = useForm({ kept: {}, read: ok, save: () => remove(site.id) })
  return (
    <FormDialog
      title={t('removing.title', { name: site.name, environment: t(`environmentNames.${site.environment}`) })}
      submit={t('removing.confirm', { name: site.name })}
      isDanger
      form={form}
      onClose={() => show({ kind: 'closed' })}
    >
      <p>{isSampleSite(site) ? t('removing.sample') : t('removing.text', { name: site.name })}</p>
    </FormDialog>
  )
}

interface TryDialogProps {
  readonly site: SiteSummary
  readonly onShowSave: (row: CallbackRow) => void
  readonly onClose: () => void
}

/** Proves that the service accepts the secret of a site, and that its saves arrive. */
function TryDialog({ site, onShowSave, onClose }: TryDialogProps) {
  const { t } = useTranslation(['sites', 'ui'])
  return (
    <Dialog title={t('firstSave.title', { name: site.name })} onClose={onClose}>
      <DialogBody actions={<Button onClick={onClose}>{t('ui:close')}</Button>}>
        <p>{t('firstSave.text')}</p>
        <FirstSave
          site={site}
          onShow={(row) => {
            onClose()
            onShowSave(row)
          }}
        />
      </DialogBody>
    </Dialog>
  )
}

/** The open site dialog, if any. */
export function SiteDialogs({ listenerUrl, onShowSave }: DialogsProps) {
  const { dialog, show, save, remove } = useSites()
  switch (dialog.kind) {
    case 'closed':
      return null
    case 'add':
      return <SiteDialog key="add" site={null} listenerUrl={listenerUrl} save={save} show={show} />
    case 'edit':
      return <SiteDialog key={dialog.site.id} site={dialog.site} listenerUrl={listenerUrl} save={save} show={show} />
    case 'remove':
      return <RemoveDialog site={dialog.site} remove={remove} show={show} />
    case 'try':
      return <TryDialog site={dialog.site} onShowSave={onShowSave} onClose={() => show({ kind: 'closed' })} />
  }
}

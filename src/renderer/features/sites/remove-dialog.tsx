import { isSampleSite } from '@galley/library/records'
import type { SiteSummary } from '@galley/library/records'
import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { FormDialog } from '../../domain/form-dialog.tsx'
import { useForm } from '../../stores/form.ts'
import type { SitesState } from './store.ts'

interface Props {
  readonly site: SiteSummary
  readonly remove: SitesState['remove']
  readonly show: SitesState['show']
}

/** Confirms the removal of a site; the focus starts on Cancel. */
export function RemoveDialog({ site, remove, show }: Props) {
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

import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import { Checks } from './checks.tsx'
import styles from './first-run.module.css'
import type { FirstRunProps } from './props.ts'
import { hasFailed, useFirstRun } from './store.ts'

const names = ['keychain', 'base_url', 'encryption', 'clock'] as const

/** Adds the first site and then tests it against the service. */
export function SiteStep({ site, onAddSite, onEditSite }: FirstRunProps) {
  const { t } = useTranslation(['start', 'sites'])
  const { siteChecks, testSite } = useFirstRun()
  if (site === null) {
    return (
      <Button look="primary" onClick={onAddSite}>
        {t('site.add')}
      </Button>
    )
  }
  const isTesting = siteChecks.kind === 'testing'
  return (
    <>
      <Status
        tone={site.secret === 'stored' ? 'success' : 'warning'}
        word={t(site.secret === 'stored' ? 'site.has' : 'site.lacksSecret', { name: site.name })}
      />
      <Checks tested={siteChecks} names={names} />
      <div className={styles.buttons}>
        <Button aria-disabled={isTesting} onClick={() => void testSite(site.id)}>
          {isTesting ? t('site.checking') : t('site.check')}
        </Button>
        {hasFailed(siteChecks, names) && <Button onClick={() => onEditSite(site)}>{t('sites:edit')}</Button>}
      </div>
    </>
  )
}

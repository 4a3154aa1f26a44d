import { isSampleSite } from '@galley/library/records'
import type { SecretPresence, SiteSummary } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { View } from '../../bridge/answers.ts'
import { checkTone, useCheckText } from '../../domain/check-text.ts'
import { EnvironmentBadge } from '../../domain/environment-badge.tsx'
import { Means, ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import { ImportDialog } from './import-dialog.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import styles from './settings.module.css'
import { useSiteList } from './sites-store.ts'
import type { SiteTest } from './sites-store.ts'

interface Props {
  readonly view: View<readonly SiteSummary[]>
  readonly onAdd: () => void
  readonly onRetry: () => void
  readonly onEdit: (site: SiteSummary) => void
  readonly onRemove: (site: SiteSummary) => void
  readonly onTry: (site: SiteSummary) => void
  readonly onConfirm: (site: SiteSummary) => void
}

const secretTones: Readonly<Record<SecretPresence, Tone>> = {
  stored: 'success',
  missing: 'warning',
  locked: 'warning',
  unavailable: 'danger',
  changed: 'danger',
}

/** The library's sites, to edit, test, limit, remove, import and export. */
export function SitesSection({ view, onAdd, onRetry, onEdit, onRemove, onTry, onConfirm }: Props) {
  const { t } = useTranslation(['settings', 'sites'])
  const state = useSiteList()
  const [limited, setLimited] = useState<SiteSummary | null>(null)
  if (view.kind === 'loading') return <Skeleton rows={5} />
  if (view.kind === 'failed') return <Failed text={t('sites:failed')} onRetry={onRetry} />
  const sites = view.items
  return (
    <Group text={t('sites.text')}>
      <Bar>
        <Button look="primary" onClick={onAdd}>
          {t('sites:add')}
        </Button>
        <Button onClick={() => void state.readFile()}>{t('sites.import')}</Button>
        {sites.length > 0 && <Button onClick={() => void state.exportAll()}>{t('sites.export')}</Button>}
        <span role="status" className={words.meta}>
          {state.exported !== null && t('sites.exported', { count: state.exported })}
        </span>
      </Bar>
      {state.problem !== null && state.importable === null && <ProblemLine problem={state.problem} role="alert" />}
      {sites.length === 0 && <p className={words.explanation}>{t('sites.none')}</p>}
      <ul>
        {sites.map((site) => (
          <SiteEntry
            key={site.id}
            site={site}
            onEdit={onEdit}
            onRemove={onRemove}
            onTry={onTry}
            onConfirm={onConfirm}
            onLimit={setLimited}
          />
        ))}
      </ul>
      {state.importable !== null && <ImportDialog found={state.importable.sites} />}
      {limited !== null && <LimitsDialog site={limited} onClose={() => setLimited(null)} />}
    </Group>
  )
}

interface EntryProps extends Pick<Props, 'onEdit' | 'onRemove' | 'onTry' | 'onConfirm'> {
  readonly site: SiteSummary
  readonly onLimit: (site: SiteSummary) => void
}

interface SiteAction {
  readonly key: string
  readonly label: string
  readonly look?: 'primary' | 'quiet'
  readonly isBusy?: boolean
  readonly onSelect: () => void
}

/** What can be done with a site, as buttons and as a menu. */
function useSiteActions({ site, onEdit, onRemove, onTry, onConfirm, onLimit }: EntryProps): readonly SiteAction[] {
  const { t } = useTranslation(['settings', 'sites'])
  const { tests, test, republish } = useSiteList()
  const isBusy = tests[site.id]?.kind === 'testing'
  const lacksSecret = site.secret === 'missing' || site.secret === 'changed'
  return [
    ...(site.isConfirmed
      ? []
      : [{ key: 'confirm', label: t('sites:confirm'), look: 'primary' as const, onSelect: () => onConfirm(site) }]),
    {
      key: 'edit',
      label: t(lacksSecret ? 'sites:enterSecret' : 'sites.edit'),
      ...(lacksSecret && site.isConfirmed && { look: 'primary' as const }),
      onSelect: () => onEdit(site),
    },
    {
      key: 'test',
      label: t(isBusy ? 'sites.testing' : 'sites.test'),
      isBusy,
      onSelect: () => void test(site.id),
    },
    ...(site.isConfirmed && site.secret === 'stored'
      ? [{ key: 'try', label: t('sites:firstSave.open'), onSelect: () => onTry(site) }]
      : []),
    { key: 'limits', label: t('sites.limits'), onSelect: () => onLimit(site) },
    ...(site.isConfirmed && site.publish.kind !== 'listener'
      ? [{ key: 'republish', label: t('sites.republish'), onSelect: () => void republish(site.id) }]
      : []),
    { key: 'remove', label: t('sites.remove'), look: 'quiet' as const, onSelect: () => onRemove(site) },
  ]
}

/** One site with its state and actions. */
function SiteEntry(props: EntryProps) {
  const { site } = props
  const { t } = useTranslation(['settings', 'sites'])
  const test = useSiteList(({ tests }) => tests[site.id])
  const actions = useSiteActions(props)
  return (
    <Entry label={site.name} actions={actions}>
      <div>
        <p className={styles.row}>
          <span className={styles.name}>{site.name}</span>
          <EnvironmentBadge environment={site.environment} />
        </p>
        <p className={words.code}>{site.callbackUrl}</p>
        <p className={styles.row}>
          {!site.isConfirmed && <Status tone="warning" word={t('sites.unconfirmed')} />}
          {isSampleSite(site) && site.secret !== 'stored' ? (
            <Status tone="neutral" word={t('sites.secrets.sample')} />
          ) : (
            <Status tone={secretTones[site.secret]} word={t(`sites.secrets.${site.secret}`)} />
          )}
        </p>
      </div>
      <Bar>
        {actions.map(({ key, label, look, isBusy, onSelect }) => (
          <Button
            key={key}
            look={look ?? 'plain'}
            aria-label={t('sites.named', { action: key === 'test' ? t('sites.test') : label, site: site.name })}
            aria-disabled={isBusy}
            onClick={onSelect}
          >
            {label}
          </Button>
        ))}
      </Bar>
      {test !== undefined && test.kind !== 'testing' && <Checks test={test} name={site.name} />}
    </Entry>
  )
}

/** A button that tests a site, and the result step by step. */
export function SelfTest({ site, name }: { readonly site: SiteId; readonly name: string }) {
  const { t } = useTranslation('developer')
  const test = useSiteList(({ tests }) => tests[site])
  const run = useSiteList((state) => state.test)
  const isTesting = test?.kind === 'testing'
  return (
    <Group title={t('selfTest.title', { site: name })} text={t('selfTest.text')}>
      <Bar>
        <Button aria-disabled={isTesting} onClick={() => void run(site)}>
          {isTesting ? t('selfTest.running') : t('selfTest.run')}
        </Button>
      </Bar>
      {test !== undefined && !isTesting && <Checks test={test} name={name} />}
    </Group>
  )
}

function Checks({ test, name }: { readonly test: SiteTest; readonly name: string }) {
  const { t } = useTranslation('settings')
  const checkText = useCheckText()
  return (
    <div role="status" aria-label={t('sites.checksOf', { site: name })} className={styles.checks}>
      {test.kind === 'failed' && <ProblemLine problem={test.problem} />}
      {test.kind === 'done' &&
        test.checks.map(({ name: check, ok, code, facts }) => {
          const found = checkTone({ ok, code })
          return (
            <div key={check} className={styles.check}>
              <span className={styles.name}>{t(`sites.checks.${check}`)}</span>
              <Status tone={found} word={t(`sites.found.${found}`)} />
              <span>{checkText({ code, facts })}</span>
              {!ok && <Means code={`check:${code}`} />}
            </div>
          )
        })}
    </div>
  )
}

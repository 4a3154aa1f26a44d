import type { CommandId, SiteSummary } from '@galley/library/records'
import { isSampleSite } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { TargetRow } from '../../../ipc/publishing.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useCopy } from '../../domain/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { Status } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import words from '../../ui/words.module.css'
import styles from './move.module.css'

interface Props {
  readonly sites: readonly SiteSummary[]
  /** Closes the dialog and runs the command. */
  readonly onRun: (id: CommandId) => void
  readonly onEdit: (site: SiteSummary) => void
  readonly onTry: (site: SiteSummary) => void
  readonly onTargets: (site: SiteSummary) => void
  readonly onClose: () => void
}

/** Leads from this computer to another one: backup, what has to be entered again, and a first save that proves it. */
export function MoveDialog(props: Props) {
  const { t } = useTranslation(['settings', 'ui'])
  return (
    <Dialog title={t('move.title')} size="large" onClose={props.onClose}>
      <DialogBody actions={<Button onClick={props.onClose}>{t('ui:close')}</Button>}>
        <Tabs
          label={t('move.title')}
          tabs={[
            { key: 'from', title: t('move.from'), panel: () => <From {...props} /> },
            { key: 'to', title: t('move.to'), panel: () => <To {...props} /> },
          ]}
        />
      </DialogBody>
    </Dialog>
  )
}

/** What a backup does not have, and a new computer therefore needs again. */
interface ToEnter {
  readonly site: SiteSummary
  /** What has to be entered, in the order in which it is needed; `name` is that of a target. */
  readonly what: readonly (
    | { readonly kind: 'addresses' | 'secret' | 'callbackAuth' | 'bucketKeys'; readonly isDone: boolean }
    | { readonly kind: 'target'; readonly name: string; readonly isDone: boolean }
  )[]
}

/** The checklist of a move: addresses to confirm, secrets and credentials to enter, for each site but the sample. */
export const toEnter = (
  sites: readonly SiteSummary[],
  targets: Readonly<Record<string, readonly Pick<TargetRow, 'name' | 'place' | 'credentials'>[]>>,
): readonly ToEnter[] =>
  sites
    .filter((site) => !isSampleSite(site))
    .map((site) => ({
      site,
      what: [
        { kind: 'addresses', isDone: site.isConfirmed },
        { kind: 'secret', isDone: site.secret === 'stored' },
        // They are made anew when the site is saved there.
        ...(site.callbackAuth === 'none' ? [] : [{ kind: 'callbackAuth', isDone: site.secret === 'stored' } as const]),
        ...(site.bucketKeys === null
          ? []
          : [
              {
                kind: 'bucketKeys',
                isDone: site.bucketKeys === 'stored' || site.bucketKeys === 'environment',
              } as const,
            ]),
        // A folder needs none.
        ...(targets[site.id] ?? [])
          .filter(({ place }) => place.kind !== 'folder')
          .map(({ name, credentials }) => ({ kind: 'target' as const, name, isDone: credentials === 'stored' })),
      ],
    }))

/** What is left to enter here, and what has to be entered on another computer. */
function useToEnter(sites: readonly SiteSummary[]): readonly ToEnter[] {
  const bridge = useBridge()
  const [targets, setTargets] = useState<Readonly<Record<string, readonly TargetRow[]>>>({})
  useEffect(() => {
    let isCurrent = true
    for (const { id } of sites)
      bridge.call('listTargets', { site: id }).then(
        (answer) => isCurrent && answer.ok && setTargets((known) => ({ ...known, [id]: answer.value })),
        () => undefined,
      )
    return () => {
      isCurrent = false
    }
  }, [bridge, sites])
  return toEnter(sites, targets)
}

/** The old computer: what is copied, and what is written down. */
function From({ sites, onRun }: Props) {
  const { t } = useTranslation('settings')
  const copy = useCopy()
  const lines = useToEnter(sites).map(({ site, what }) => {
    const items = what.map((item) => t(`move.what.${item.kind}`, { name: 'name' in item ? item.name : '' }))
    return [`${site.name} (${site.baseUrl})`, ...items.map((item) => `  [ ] ${item}`)].join('\n')
  })
  return (
    <div className={styles.steps}>
      <Group title={t('move.backup')} text={t('move.backupText')}>
        <Bar>
          <Button look="primary" onClick={() => onRun('health.backUp')}>
            {t('move.backUp')}
          </Button>
        </Bar>
      </Group>
      <Group title={t('move.list')} text={t('move.listText')}>
        <pre className={words.code}>{lines.join('\n')}</pre>
        <Bar>
          <Button onClick={() => copy(lines.join('\n'))}>{t('move.copy')}</Button>
        </Bar>
      </Group>
      <Group title={t('move.stop')} text={t('move.stopText')}>
        <Bar>
          <Button onClick={() => onRun('listener.stop')}>{t('move.stop')}</Button>
        </Bar>
      </Group>
    </div>
  )
}

/** The new computer: restore, enter, prove. */
function To({ sites, onRun, onEdit, onTry, onTargets }: Props) {
  const { t } = useTranslation(['settings', 'sites'])
  const list = useToEnter(sites)
  return (
    <div className={styles.steps}>
      <Group title={t('move.restore')} text={t('move.restoreText')}>
        <Bar>
          <Button look={sites.length === 0 ? 'primary' : 'plain'} onClick={() => onRun('health.restore')}>
            {t('move.restoreNow')}
          </Button>
        </Bar>
      </Group>
      {list.map(({ site, what }) => (
        <Group key={site.id} title={site.name}>
          {what.map((item) => (
            <Status
              key={'name' in item ? `target ${item.name}` : item.kind}
              tone={item.isDone ? 'success' : 'warning'}
              word={t(`move.${item.isDone ? 'done' : 'what'}.${item.kind}`, { name: 'name' in item ? item.name : '' })}
            />
          ))}
          <Bar>
            <Button onClick={() => onEdit(site)}>{t('move.enter')}</Button>
            {what.some(({ kind }) => kind === 'target') && (
              <Button onClick={() => onTargets(site)}>{t('move.targets')}</Button>
            )}
            {site.isConfirmed && site.secret === 'stored' && (
              <Button look={site.isSecretTried ? 'plain' : 'primary'} onClick={() => onTry(site)}>
                {t('sites:firstSave.open')}
              </Button>
            )}
          </Bar>
        </Group>
      ))}
      <p className={words.explanation}>{t('move.after')}</p>
    </div>
  )
}

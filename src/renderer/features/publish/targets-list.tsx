import { FolderClosed, Plus, Server, Database } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import type { TargetRow } from '../../../ipc/publishing.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import type { Column } from '../../ui/grid/column.ts'
import { rowsOf } from '../../ui/grid/column.ts'
import { Grid } from '../../ui/grid/grid.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { useNow } from '../../ui/now.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { TwoLines } from '../../ui/two-lines.tsx'
import styles from './publish.module.css'
import { useTargets } from './store.ts'
import { locationText, targetStateOf, targetTones } from './target-state.ts'

interface Props {
  readonly chosenName: string | null
  readonly onChoose: (name: string) => void
  readonly onOpen: () => void
  readonly menuOf: (target: TargetRow) => readonly MenuItem[]
}

const keyOf = ({ name }: TargetRow): string => name

/** The targets of the site with their state. */
export function TargetsList({ chosenName, onChoose, onOpen, menuOf }: Props) {
  const { t } = useTranslation('publish')
  const site = useNavigation(currentSite)
  const { view, load, open } = useTargets()
  const columns = useColumns()
  const rows = useMemo(() => rowsOf(view.kind === 'ready' ? view.items : []), [view])
  if (site === null) return <Message text={t('noSite')} />
  if (view.kind === 'loading') return <Skeleton rows={3} />
  if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={() => void load()} />
  if (rows.total === 0) {
    return (
      <Message title={t('none.title')} text={t('none.text')}>
        <Button look="primary" icon={Plus} onClick={() => open({ kind: 'add' })}>
          {t('commands.newTarget')}
        </Button>
      </Message>
    )
  }
  return (
    <Grid
      isTall
      name="targets"
      label={t('tabs.targets')}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      nameOf={keyOf}
      activeKey={chosenName}
      onActivate={({ name }) => onChoose(name)}
      onOpen={onOpen}
      menuOf={menuOf}
    />
  )
}

const targetIcons = { folder: FolderClosed, s3: Database, sftp: Server } as const

function useColumns(): readonly Column<TargetRow>[] {
  const { t } = useTranslation('publish')
  const zone = useTargets((state) => state.timeZone)
  const nowMs = useNow()
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('columns.name'),
        cell: (target) => {
          const Icon = targetIcons[target.place.kind]
          return (
            <div className={styles.name}>
              <Icon size={16} aria-hidden />
              <div className={styles.words}>
                <TwoLines first={target.name} second={target.publicUrl ?? locationText(target)} />
              </div>
            </div>
          )
        },
      },
      {
        key: 'state',
        title: t('columns.state'),
        width: 168,
        cell: (target) => {
          const shown = targetStateOf(target)
          return <Status tone={targetTones[shown]} word={t(`states.${shown}`)} />
        },
      },
      {
        key: 'schedule',
        title: t('columns.schedule'),
        width: 144,
        isMeta: true,
        shownFrom: 560,
        cell: ({ schedule }) =>
          schedule === null ? t('manual') : <TwoLines first={t('daily', { time: schedule })} second={zone} />,
      },
      {
        key: 'at',
        title: t('columns.at'),
        width: 136,
        isMeta: true,
        shownFrom: 420,
        cell: ({ current }) => (current === null ? t('neverAt') : <Time iso={current.at} nowMs={nowMs} />),
      },
    ],
    [t, nowMs, zone],
  )
}

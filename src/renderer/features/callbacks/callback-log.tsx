import type { CallbackRow } from '@galley/library/records'
import type { CallbackId } from '@galley/wire'
import { FlaskConical, RotateCcw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyedSearch } from '../../commands/keyed-search.tsx'
import { useShownKeys } from '../../commands/shown-keys.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Grid } from '../../ui/grid/grid.tsx'
import { usePagedRows } from '../../ui/grid/use-paged-rows.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useNow } from '../../ui/now.ts'
import { PanePart } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { SelectionStrip } from '../../ui/strip.tsx'
import { firstHourMs, useActivity } from './activity-store.ts'
import { useBatch } from './batch-store.ts'
import { useCallbackColumns } from './callback-columns.tsx'
import styles from './callback-log.module.css'
import { ClearFilters, FilterBar } from './filter-bar.tsx'
import { isNarrowed } from './question.ts'
import { useCallbackList, useCallbackRows } from './store.ts'
import { useWhenText } from './when-text.ts'

/** Actions for several selected callbacks. */
function SelectionBar() {
  const { t } = useTranslation('callbacks')
  const { selected, select, ask } = useBatch()
  if (selected.size === 0) return null
  const ids = [...selected]
  return (
    <SelectionStrip count={ids.length} onClear={() => select(new Set())}>
      <Button look="quiet" icon={FlaskConical} onClick={() => ask(ids, true)}>
        {t('actions.dryRun')}
      </Button>
      <Button look="quiet" icon={RotateCcw} onClick={() => ask(ids, false)}>
        {t('actions.replay')}
      </Button>
    </SelectionStrip>
  )
}

interface Props {
  readonly chosenId: string | null
  readonly onChoose: (callbackId: CallbackId) => void
  readonly onOpen: () => void
  readonly onExport: (format: 'csv' | 'json') => void
  readonly onDoctor: () => void
  /** Shows what was told to the webhook of the site instead. */
  readonly onMessages: () => void
  readonly menuOf: (row: CallbackRow) => readonly MenuItem[]
}

const keyOf = ({ id }: CallbackRow): string => id

const hourMs = 3_600_000

/** Callbacks of the last 24 hours as a chart with a text alternative. */
function ActivityChart() {
  const { t } = useTranslation('callbacks')
  const formats = useFormats()
  const { hours, sinceMs, load } = useActivity()
  const nowMs = useNow()
  // The chart also advances every hour without new callbacks.
  useEffect(() => {
    if (firstHourMs(nowMs) !== sinceMs) void load()
  }, [nowMs, sinceMs, load])
  if (hours === null) return null
  const clock = (at: number): string => formats.hourAndMinute(new Date(sinceMs + at * hourMs).toISOString())
  const times = (at: number) => ({ from: clock(at), to: clock(at + 1) })
  const countText = (total: number, notStored: number): string =>
    notStored === 0
      ? t('activity.came', { count: total })
      : `${t('activity.came', { count: total })} ${t('activity.notStored', { count: notStored })}`
  const total = hours.reduce((sum, one) => sum + one.total, 0)
  const notStored = hours.reduce((sum, one) => sum + one.notStored, 0)
  const busiest = hours.reduce((best, one, at) => (one.total > (hours[best]?.total ?? 0) ? at : best), 0)
  const label = [
    t('activity.title'),
    countText(total, notStored),
    ...(total === 0 ? [] : [t('activity.most', { ...times(busiest), count: hours[busiest]?.total ?? 0 })]),
  ].join(' ')
  return (
    <span className={styles.activity}>
      <Sparkline
        label={label}
        bars={hours.map((one, at) => ({
          key: `${sinceMs + at * hourMs}`,
          value: one.total,
          marked: one.notStored,
          hint: `${t('activity.hour', times(at))} ${countText(one.total, one.notStored)}`,
        }))}
      />
      <span aria-hidden>{t('activity.short')}</span>
    </span>
  )
}

/** The live callback log with its filters, a part of Delivery. */
export function CallbackLog(props: Props) {
  const { t } = useTranslation('callbacks')
  const formats = useFormats()
  const { onExport, onDoctor, onMessages } = props
  const { question, ask } = useCallbackList()
  const { kind, total } = useCallbackRows()
  const keysOf = useShownKeys()
  return (
    <PanePart
      title={t('title')}
      count={kind === 'ready' ? formats.count(total) : undefined}
      actions={
        <>
          <ActivityChart />
          <KeyedSearch label={t('search')} text={question.text} onChange={(text) => ask({ text })} />
          <MoreMenu
            items={[
              {
                key: 'csv',
                label: t('actions.exportCsv'),
                keys: keysOf('callbacks.exportCsv'),
                onSelect: () => onExport('csv'),
              },
              {
                key: 'json',
                label: t('actions.exportJson'),
                keys: keysOf('callbacks.exportJson'),
                onSelect: () => onExport('json'),
              },
              { kind: 'separator', key: 'line' },
              { key: 'doctor', label: t('actions.doctor'), keys: keysOf('callbacks.doctor'), onSelect: onDoctor },
              { key: 'messages', label: t('actions.messages'), onSelect: onMessages },
            ]}
          />
        </>
      }
    >
      <FilterBar />
      <SelectionBar />
      <List {...props} />
    </PanePart>
  )
}

function List({ chosenId, onChoose, onOpen, menuOf }: Props) {
  const { t } = useTranslation('callbacks')
  const { question, ask, reload, readIds } = useCallbackList()
  const { sort, isOfAllSites } = question
  const list = useCallbackRows()
  const { kind, total } = list
  const { selected, select } = useBatch()
  const columns = useCallbackColumns(isOfAllSites)
  const rows = usePagedRows(list)
  if (kind === 'loading') return <Skeleton isTall />
  if (kind === 'failed') return <Failed text={t('failed')} onRetry={() => void reload()} />
  if (total === 0 && isNarrowed(question)) return <NoMatch />
  if (total === 0) return <Message title={t('none.title')} text={t('none.text')} />
  return (
    <Grid
      name="callbacks"
      label={t('title')}
      isTall
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      activeKey={chosenId}
      onActivate={({ id }) => onChoose(id)}
      selected={selected}
      onSelect={select}
      readKeys={readIds}
      sort={{
        column: sort.by === 'arrival' ? 'received' : 'duration',
        direction: sort.direction === 'up' ? 'asc' : 'desc',
      }}
      onSort={({ column, direction }) =>
        ask({
          sort: { by: column === 'duration' ? 'duration' : 'arrival', direction: direction === 'asc' ? 'up' : 'down' },
        })
      }
      onOpen={onOpen}
      menuOf={menuOf}
    />
  )
}

/** Names the filters that leave the list empty. */
function NoMatch() {
  const { t } = useTranslation('callbacks')
  const formats = useFormats()
  const whenText = useWhenText()
  const { outcomes, kinds, signatures, materialId, when, text } = useCallbackList().question
  const time = whenText(when)
  const words = [
    ...outcomes.map((outcome) => t(`outcomes.${outcome}`)),
    ...kinds.map((kind) => t(`events.${kind}`)),
    ...signatures.map((signature) => `${t('columns.signature')}: ${t(`signatures.${signature}`)}`),
    ...(time === null ? [] : [`${t('columns.received')}: ${time}`]),
    ...(materialId === null ? [] : [`${t('columns.material')}: ${materialId}`]),
    ...(text.trim() === '' ? [] : [t('quoted', { text: text.trim() })]),
  ]
  return (
    <Message title={t('noMatch.title')} text={t('noMatch.text', { filters: formats.list(words) })}>
      <ClearFilters look="plain" />
    </Message>
  )
}

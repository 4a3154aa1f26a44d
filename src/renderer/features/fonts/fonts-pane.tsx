import type { SnapshotRow } from '@galley/library/records'
import type { SnapshotId } from '@galley/wire'
import { Copy, Link } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Failed } from '../../ui/failed.tsx'
import { rowsOf } from '../../ui/grid/column.ts'
import type { Column } from '../../ui/grid/column.ts'
import { Grid } from '../../ui/grid/grid.tsx'
import { Message } from '../../ui/message.tsx'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import words from '../../ui/words.module.css'
import { useFonts } from './store.ts'

interface Props {
  readonly chosenId: string | null
  readonly onChoose: (snapshotId: SnapshotId) => void
  readonly onOpen: () => void
  readonly onCopy: (text: string) => void
}

const keyOf = ({ snapshotId }: SnapshotRow): string => snapshotId

export function FontsPane({ chosenId, onChoose, onOpen, onCopy }: Props) {
  const { t } = useTranslation('fonts')
  const formats = useFormats()
  const { view, load } = useFonts()
  const items = view.kind === 'ready' ? view.items : null
  const rows = useMemo(() => rowsOf(items ?? []), [items])
  const columns = useColumns()
  return (
    <Pane name="list" title={t('title')} count={items === null ? undefined : formats.count(items.length)}>
      {view.kind === 'loading' && <Skeleton rows={4} />}
      {view.kind === 'failed' && <Failed text={t('failed')} onRetry={() => void load()} />}
      {rows.total === 0 && items !== null && <Message title={t('none.title')} text={t('none.text')} />}
      {rows.total > 0 && (
        <Grid
          name="fonts"
          label={t('title')}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          activeKey={chosenId}
          onActivate={({ snapshotId }) => onChoose(snapshotId)}
          onOpen={onOpen}
          menuOf={({ snapshotId, cssUrl }) => [
            { key: 'css', label: t('copyCss'), icon: Link, onSelect: () => onCopy(cssUrl) },
            { key: 'id', label: t('copyId'), icon: Copy, onSelect: () => onCopy(snapshotId) },
          ]}
        />
      )}
    </Pane>
  )
}

function useColumns(): readonly Column<SnapshotRow>[] {
  const { t } = useTranslation('fonts')
  const formats = useFormats()
  const nowMs = useNow()
  return useMemo(
    () => [
      {
        key: 'received',
        title: t('columns.received'),
        cell: ({ receivedAt }) => <Time iso={receivedAt} nowMs={nowMs} />,
      },
      {
        key: 'use',
        title: t('columns.use'),
        width: 96,
        cell: ({ current }) => current && <Status tone="success" word={t('newest')} />,
      },
      {
        key: 'files',
        title: t('columns.files'),
        width: 52,
        align: 'end',
        cell: ({ files }) => formats.count(files),
      },
      {
        key: 'bytes',
        title: t('columns.bytes'),
        width: 72,
        align: 'end',
        isMeta: true,
        shownFrom: 520,
        cell: ({ bytes }) => formats.size(bytes),
      },
      {
        key: 'snapshot',
        title: t('columns.snapshot'),
        width: 276,
        isMeta: true,
        isForDevelopers: true,
        shownFrom: 600,
        cell: ({ snapshotId }) => (
          <span className={words.meta} title={snapshotId}>
            {snapshotId}
          </span>
        ),
      },
    ],
    [t, formats, nowMs],
  )
}

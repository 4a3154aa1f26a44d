import type { ExportRow } from '@galley/library/records'
import { PackagePlus } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { fileNameIn } from '../../domain/file-name.ts'
import { useFormats } from '../../i18n/formats.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { Failed } from '../../ui/failed.tsx'
import type { Column } from '../../ui/grid/column.ts'
import { Grid } from '../../ui/grid/grid.tsx'
import { usePagedRows } from '../../ui/grid/use-paged-rows.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { useNow } from '../../ui/now.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { useExportRows } from './store.ts'

interface Props {
  readonly chosenId: string | null
  readonly onChoose: (exportId: string) => void
  readonly onOpen: () => void
  readonly onCreate: () => void
  readonly menuOf: (row: ExportRow) => readonly MenuItem[]
}

const keyOf = ({ exportId }: ExportRow): string => exportId

/** Starts an export. */
export function NewExport({ look, onCreate }: { readonly look?: 'primary'; readonly onCreate: () => void }) {
  const { t } = useTranslation('exports')
  return (
    <KeyedButton {...(look && { look })} icon={PackagePlus} command="export.new" onClick={onCreate}>
      {t('create')}
    </KeyedButton>
  )
}

/** The past exports of the site, newest first. */
export function ExportsList({ chosenId, onChoose, onOpen, onCreate, menuOf }: Props) {
  const { t } = useTranslation('exports')
  const site = useNavigation(currentSite)
  const list = useExportRows()
  const { kind, total, refresh } = list
  const rows = usePagedRows(list)
  const columns = useColumns()
  return (
    <>
      {site === null && <Message text={t('noSite')} />}
      {site !== null && kind === 'loading' && <Skeleton rows={4} />}
      {kind === 'failed' && <Failed text={t('failed')} onRetry={() => void refresh()} />}
      {site !== null && kind === 'ready' && total === 0 && (
        <Message title={t('none.title')} text={t('none.text')}>
          <NewExport look="primary" onCreate={onCreate} />
        </Message>
      )}
      {kind === 'ready' && total > 0 && (
        <Grid
          name="exports"
          label={t('title')}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          activeKey={chosenId}
          onActivate={({ exportId }) => onChoose(exportId)}
          onOpen={onOpen}
          menuOf={menuOf}
        />
      )}
    </>
  )
}

function useColumns(): readonly Column<ExportRow>[] {
  const { t } = useTranslation('exports')
  const formats = useFormats()
  const nowMs = useNow()
  return useMemo(
    () => [
      {
        key: 'target',
        title: t('columns.target'),
        cell: ({ target }) => <span title={target.path}>{fileNameIn(target.path)}</span>,
      },
      {
        key: 'references',
        title: t('columns.references'),
        width: 136,
        cell: ({ brokenReferences, request }) =>
          request.check === 'off' ? (
            <Status tone="neutral" word={t('references.unknown')} />
          ) : brokenReferences === 0 ? (
            <Status tone="success" word={t('references.fine')} />
          ) : (
            <Status tone="warning" word={t('references.broken', { count: brokenReferences })} />
          ),
      },
      {
        key: 'changes',
        title: t('columns.changes'),
        width: 116,
        shownFrom: 560,
        isMeta: true,
        cell: ({ counts }) => t('changes', { added: counts.added, changed: counts.changed, removed: counts.removed }),
      },
      { key: 'pages', title: t('columns.pages'), width: 72, align: 'end', cell: ({ pages }) => formats.count(pages) },
      {
        key: 'size',
        title: t('columns.size'),
        width: 88,
        align: 'end',
        isMeta: true,
        shownFrom: 640,
        cell: ({ counts }) => formats.size(counts.bytes),
      },
      {
        key: 'at',
        title: t('columns.at'),
        width: 136,
        isMeta: true,
        cell: ({ at }) => <Time iso={at} nowMs={nowMs} />,
      },
    ],
    [t, formats, nowMs],
  )
}

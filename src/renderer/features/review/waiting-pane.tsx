import type { MaterialRow } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Failed } from '../../ui/failed.tsx'
import type { Column } from '../../ui/grid/column.ts'
import { Grid } from '../../ui/grid/grid.tsx'
import { usePagedRows } from '../../ui/grid/use-paged-rows.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useWaiting, useWaitingRows } from './store.ts'

interface Props {
  readonly columns: readonly Column<MaterialRow>[]
  /** Opens a page beside what it was. */
  readonly onReview: (material: MaterialRow) => void
  readonly menuOf: (material: MaterialRow) => readonly MenuItem[]
}

/** The pages whose current version waits for a decision, or for its writer. */
export function WaitingPane({ columns, onReview, menuOf }: Props) {
  const { t } = useTranslation('app')
  const formats = useFormats()
  const { activeId, activate } = useWaiting()
  const list = useWaitingRows()
  const rows = usePagedRows(list)
  const { kind, total, refresh } = list
  return (
    <Pane name="list" title={t('sections.review')} count={kind === 'ready' ? formats.count(total) : undefined}>
      {kind === 'loading' && <Skeleton isTall />}
      {kind === 'failed' && <Failed text={t('waiting.failed')} onRetry={() => void refresh()} />}
      {kind === 'ready' && total === 0 && <Message title={t('waiting.none')} text={t('waiting.noneText')} />}
      {kind === 'ready' && total > 0 && (
        <Grid
          name="waiting"
          label={t('sections.review')}
          isTall
          columns={columns}
          rows={rows}
          keyOf={({ materialId }) => materialId}
          nameOf={titleOf}
          activeKey={activeId}
          onActivate={({ materialId }) => activate(materialId)}
          onOpen={onReview}
          onQuickLook={onReview}
          menuOf={menuOf}
        />
      )}
    </Pane>
  )
}

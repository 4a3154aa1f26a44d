import type { VersionRow } from '@galley/library/records'
import type { VersionId } from '@galley/wire'
import type { ReactNode } from 'react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { useDragOut } from '../../domain/drag-out.ts'
import { Failed } from '../../ui/failed.tsx'
import { Grid } from '../../ui/grid/grid.tsx'
import { usePagedRows } from '../../ui/grid/use-paged-rows.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { shownVersion, useVersionRows, useVersions } from './store.ts'
import { useVersionColumns } from './version-columns.tsx'
import styles from './versions.module.css'

interface Props {
  readonly onChoose: (versionId: VersionId) => void
  readonly onOpen: (version: VersionRow) => void
  readonly onReview: (version: VersionRow) => void
  readonly menuOf: (version: VersionRow) => readonly MenuItem[]
}

const keyOf = ({ versionId }: VersionRow): string => versionId

export function VersionList({ onChoose, onOpen, onReview, menuOf }: Props) {
  const { t } = useTranslation('versions')
  const { of, heldId, selected, select } = useVersions()
  const list = useVersionRows()
  const { kind, total, refresh } = list
  const columns = useVersionColumns()
  const rows = usePagedRows(list)
  const dragOut = useDragOut()
  const onActivate = useCallback(({ versionId }: VersionRow) => onChoose(versionId), [onChoose])
  if (kind === 'loading') return <Skeleton rows={4} isTall />
  if (kind === 'failed') return <Failed text={t('failed')} onRetry={() => void refresh()} />
  if (total === 0) return <Message text={t('none')} />
  return (
    <Grid
      name="versions"
      label={t('title')}
      isTall
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      activeKey={shownVersion({ of, heldId }, list.rows)}
      onActivate={onActivate}
      selected={selected}
      onSelect={select}
      onOpen={onOpen}
      onQuickLook={onReview}
      menuOf={menuOf}
      onDragOut={(version, event) => dragOut(version, 'html', event)}
    />
  )
}

interface AboveProps {
  readonly list: ReactNode
  readonly children: ReactNode
}

/** The version list above, the selected version below. */
export const VersionsAbove = ({ list, children }: AboveProps) => (
  <div className={styles.inspector}>
    <div className={styles.list}>{list}</div>
    {children}
  </div>
)

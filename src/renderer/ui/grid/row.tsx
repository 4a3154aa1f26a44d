import type { DragEvent, MouseEvent } from 'react'
import { memo } from 'react'

import type { Column } from './column.ts'
import styles from './grid.module.css'

interface Props<Row> {
  readonly id: string
  readonly index: number
  readonly row: Row | undefined
  readonly columns: readonly Column<Row>[]
  readonly template: string
  readonly topPx: number
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly loading: string
  readonly isDraggable: boolean
  readonly onClick: (index: number, event: MouseEvent) => void
  readonly onDoubleClick: (index: number) => void
  readonly onContextMenu: (index: number, event: MouseEvent) => void
  readonly onDragStart: (index: number, event: DragEvent) => void
}

function RowOf<Row>(props: Props<Row>) {
  const { id, index, row, columns, template, topPx, isActive, isSelected, loading, isDraggable } = props
  const shows = (key: string): boolean => columns.some((column) => column.key === key)
  return (
    // The grid holds the focus and handles the keys of all rows.
    // oxlint-disable-next-line click-events-have-key-events, interactive-supports-focus
    <div
      id={id}
      role="row"
      data-row
      data-active={isActive || undefined}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={styles.row}
      style={{ gridTemplateColumns: template, translate: `0 ${topPx}px` }}
      onClick={(event) => props.onClick(index, event)}
      onDoubleClick={() => props.onDoubleClick(index)}
      onContextMenu={(event) => props.onContextMenu(index, event)}
      draggable={isDraggable || undefined}
      onDragStart={(event) => props.onDragStart(index, event)}
    >
      {row === undefined ? (
        <div role="gridcell" aria-label={loading} className={styles.pending}>
          <span />
        </div>
      ) : (
        columns.map((column) => {
          const content = column.cell(row, shows)
          return (
            <div
              key={column.key}
              role="gridcell"
              title={typeof content === 'string' ? content : undefined}
              className={[styles.cell, column.align === 'end' && styles.end, column.isMeta === true && styles.meta]
                .filter(Boolean)
                .join(' ')}
            >
              {content}
            </div>
          )
        })
      )}
    </div>
  )
}

/** Memoised: scrolling re-renders only rows that changed. */
export const GridRow = memo(RowOf) as typeof RowOf

import { ArrowDown, ArrowUp, Settings2 } from 'lucide-react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import { Menu } from '../menu.tsx'
import { sortAfterClick } from './column.ts'
import type { Column, Sort } from './column.ts'
import styles from './grid.module.css'
import type { useColumns } from './use-columns.ts'

interface Props<Row> {
  readonly columns: readonly Column<Row>[]
  readonly layout: ReturnType<typeof useColumns<Row>>
  readonly sort: Sort | null
  readonly onSort: ((sort: Sort) => void) | undefined
  /** Receives the focus on leaving the header. */
  readonly grid: RefObject<HTMLDivElement | null>
}

const stepPx = 16

/** Column headers: a click or Enter sorts; dragging the edge, or Shift and arrows, resizes. */
export function GridHeader<Row>({ columns, layout, sort, onSort, grid }: Props<Row>) {
  const { t } = useTranslation('ui')
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.row} style={{ gridTemplateColumns: layout.template }}>
        {layout.shown.map((column) => {
          const direction = sort?.column === column.key ? sort.direction : null
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-sort={direction === null ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
              className={`${styles.header} ${column.align === 'end' ? styles.end : ''}`}
            >
              {column.width !== undefined && (
                <ResizeEdge layout={layout} column={column} label={t('grid.resize', { column: column.title })} />
              )}
              <Title column={column} layout={layout} sort={sort} onSort={onSort} grid={grid} />
            </div>
          )
        })}
        {columns.length > 2 && <ColumnChooser columns={columns} layout={layout} />}
      </div>
    </div>
  )
}

/** A column's title; sorts if the column is sortable. */
function Title<Row>({
  column,
  layout,
  sort,
  onSort,
  grid,
}: Omit<Props<Row>, 'columns'> & { readonly column: Column<Row> }) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'ArrowDown' || event.key === 'Escape') grid.current?.focus()
    else if (step !== undefined && event.shiftKey) {
      const width = layout.widthOf(column)
      if (width !== undefined) layout.resize(column, width + step * stepPx)
    } else if (step !== undefined) neighbour(event.currentTarget, step)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const shared = { tabIndex: -1, 'data-header': true, className: styles.title, onKeyDown }
  if (column.sorts === undefined || onSort === undefined) {
    return (
      <span role="presentation" {...shared}>
        {column.title}
      </span>
    )
  }
  const direction = sort?.column === column.key ? sort.direction : null
  return (
    <button type="button" {...shared} onClick={() => onSort(sortAfterClick(sort, column))}>
      <span>{column.title}</span>
      {direction === 'asc' && <ArrowUp size={12} aria-hidden />}
      {direction === 'desc' && <ArrowDown size={12} aria-hidden />}
    </button>
  )
}

/** The menu that shows and hides columns. */
function ColumnChooser<Row>({ columns, layout }: Pick<Props<Row>, 'columns' | 'layout'>) {
  const { t } = useTranslation('ui')
  return (
    <div role="columnheader" className={styles.chooserCell}>
      <Menu
        align="end"
        trigger={
          <button type="button" aria-label={t('grid.columns')} title={t('grid.columns')} className={styles.chooser}>
            <Settings2 size={13} aria-hidden />
          </button>
        }
        items={[
          { kind: 'heading', key: 'heading', label: t('grid.shownColumns') },
          ...columns
            .filter((column) => column.width !== undefined)
            .map((column) => ({
              kind: 'check' as const,
              key: column.key,
              label: column.title,
              isChecked: layout.isShown(column),
              onChange: (isIn: boolean) => layout.show(column, isIn),
            })),
          { kind: 'separator', key: 'separator' },
          { key: 'reset', label: t('grid.resetColumns'), onSelect: layout.reset },
        ]}
      />
    </div>
  )
}

/** Resizes a column against the one that fills the rest. A double-click restores the initial width. */
function ResizeEdge<Row>({
  layout,
  column,
  label,
}: {
  readonly layout: Props<Row>['layout']
  readonly column: Column<Row>
  readonly label: string
}) {
  const onPointerDown = (start: PointerEvent<HTMLElement>): void => {
    const edge = start.currentTarget
    const startWidth = layout.widthOf(column) ?? 0
    edge.setPointerCapture(start.pointerId)
    const move = (event: globalThis.PointerEvent): void =>
      layout.resize(column, startWidth + start.clientX - event.clientX)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true })
  }
  return (
    <span
      className={styles.edge}
      title={label}
      aria-hidden
      onPointerDown={onPointerDown}
      onDoubleClick={() => layout.resize(column, column.width ?? 0)}
    />
  )
}

function neighbour(from: HTMLElement, step: number): HTMLElement | undefined {
  const all = [...(from.closest('[role="row"]')?.querySelectorAll<HTMLElement>('[data-header]') ?? [])]
  return all[all.indexOf(from) + step]
}

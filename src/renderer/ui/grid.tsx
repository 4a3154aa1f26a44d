import type { KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'

import { rowAfterKey } from './roving.ts'
import styles from './grid.module.css'

/** One column: how wide, and from which width of the pane on it is worth its place. */
export interface Column<Row> {
  readonly title: string
  readonly width?: number
  readonly shownFrom?: 'small' | 'medium' | 'wide' | 'full'
  readonly align?: 'start' | 'end'
  readonly isMeta?: boolean
  readonly cell: (row: Row) => ReactNode
}

interface Props<Row> {
  readonly label: string
  /** Rows of two lines, whose cells are `TwoLines`. */
  readonly isTall?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly selectedKey: string | null
  readonly onSelect: (row: Row) => void
  /** Enter on the selected row: leads on to what the row stands for. */
  readonly onEnter?: (row: Row) => void
}

/** A table with one tab stop: arrows, Home and End move and select, Enter goes on. */
export function Grid<Row>({ label, isTall = false, columns, rows, keyOf, selectedKey, onSelect, onEnter }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const selectedAt = rows.findIndex((row) => keyOf(row) === selectedKey)

  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const row = rows[at]
    if (event.ctrlKey || event.metaKey || event.altKey || row === undefined) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (at === selectedAt && event.key === 'Enter') onEnter?.(row)
      else onSelect(row)
      return
    }
    const next = rowAfterKey(event.key, at, rows.length)
    const target = next === null ? undefined : rows[next]
    if (next === null || target === undefined) return
    event.preventDefault()
    onSelect(target)
    const element = body.current?.rows[next]
    element?.focus()
  }

  const classOf = (column: Column<Row>): string =>
    [column.shownFrom && styles[column.shownFrom], column.align && styles[column.align], column.isMeta && styles.meta]
      .filter(Boolean)
      .join(' ')

  return (
    <div className={styles.scroll}>
      <table
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className={isTall ? `${styles.grid} ${styles.tall}` : styles.grid}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)} style={{ width: column.width }}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, at) => (
            <tr
              key={keyOf(row)}
              aria-rowindex={at + 2}
              aria-selected={at === selectedAt}
              tabIndex={at === Math.max(0, selectedAt) ? 0 : -1}
              onClick={() => onSelect(row)}
              onKeyDown={(event) => onKeyDown(event, at)}
            >
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

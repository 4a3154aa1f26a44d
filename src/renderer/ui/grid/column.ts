import type { ReactNode } from 'react'

/** A grid column. Exactly one has no width: it fills the remaining space. */
export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** Initial width in pixels; the person may change it. */
  readonly width?: number
  /** Without `width`: the least width in pixels, 96 by default. A pane that has less scrolls sideways. */
  readonly leastWidth?: number
  readonly align?: 'start' | 'end'
  /** Secondary information, in a quieter style. */
  readonly isMeta?: boolean
  /** The sort direction of the first click; without it the column is not sortable. */
  readonly sorts?: 'asc' | 'desc'
  /** The minimum pane width, in pixels, at which the column is shown. */
  readonly shownFrom?: number
  /** There only in a window that shows what is for developers. */
  readonly isForDevelopers?: boolean
  /** Hidden until the person shows it. */
  readonly isHiddenAtFirst?: boolean
  /** The cell's content; text that may be cut needs a full `title`. `shows` returns whether a column is visible. */
  readonly cell: (row: Row, shows: (column: string) => boolean) => ReactNode
}

export interface Sort {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** The sort after a click on a column: its initial direction, then the opposite. */
export function sortAfterClick(sort: Sort | null, column: Pick<Column<never>, 'key' | 'sorts'>): Sort {
  const first = column.sorts ?? 'asc'
  if (sort?.column !== column.key) return { column: column.key, direction: first }
  return { column: column.key, direction: sort.direction === 'asc' ? 'desc' : 'asc' }
}

/** Grid rows by index; undefined for rows that are not loaded yet. */
export interface Rows<Row> {
  readonly total: number
  /** Counts queries; a new one scrolls to the top. */
  readonly generation: number
  at(index: number): Row | undefined
  /** Called with the range of rows in view. */
  onVisible?(first: number, last: number): void
}

/** Rows that are all loaded. */
export const rowsOf = <Row>(items: readonly Row[]): Rows<Row> => ({
  total: items.length,
  generation: 0,
  at: (index) => items[index],
})

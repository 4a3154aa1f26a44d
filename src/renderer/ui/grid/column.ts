import type { ReactNode } from 'react'

/** One column of a grid. Exactly one column has no width: it takes what the others leave. */
export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** Pixels at first; the person may change it. */
  readonly width?: number
  readonly align?: 'start' | 'end'
  /** Quieter, for what goes with the row rather than names it. */
  readonly isMeta?: boolean
  /** The direction that a first click sorts in; without it the column does not sort. */
  readonly sorts?: 'asc' | 'desc'
  /** From which width of the pane on it is worth its place, in pixels. */
  readonly shownFrom?: number
  /** Not shown until the person asks for it. */
  readonly isHiddenAtFirst?: boolean
  /** What the row says here; a text that may be cut is whole in its `title`. `shows` tells which columns have room. */
  readonly cell: (row: Row, shows: (column: string) => boolean) => ReactNode
}

export interface Sort {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** The sort that a click on a column leads to: its own first direction, then the other one. */
export function sortAfterClick(sort: Sort | null, column: Pick<Column<never>, 'key' | 'sorts'>): Sort {
  const first = column.sorts ?? 'asc'
  if (sort?.column !== column.key) return { column: column.key, direction: first }
  return { column: column.key, direction: sort.direction === 'asc' ? 'desc' : 'asc' }
}

/** The rows of a grid by their place; a place whose row is not read yet gives none. */
export interface Rows<Row> {
  readonly total: number
  /** Which question they answer; the answer to another one begins at its top. */
  readonly era: number
  at(place: number): Row | undefined
  /** Told which places come into view. */
  look?(first: number, last: number): void
}

/** Rows that are all there. */
export const rowsOf = <Row>(items: readonly Row[]): Rows<Row> => ({
  total: items.length,
  era: 0,
  at: (place) => items[place],
})

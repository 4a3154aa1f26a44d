import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

import type { Rows } from './column.ts'
import type { useSelection } from './use-selection.ts'

interface Options<Row> {
  readonly rows: Rows<Row>
  readonly selection: ReturnType<typeof useSelection>
  readonly scrollTo: (index: number) => void
  readonly onActivate: (row: Row) => void
}

/** Actions that change the active row. */
export interface Moves {
  /** A row that becomes active once it is loaded. */
  readonly wantedIndex: RefObject<number | null>
  activateAt(index: number): void
  goTo(index: number, isExtending: boolean): void
}

/** Makes rows active, including those not loaded yet. */
export function useMoves<Row>({ rows, selection, scrollTo, onActivate }: Options<Row>): Moves {
  // After a far jump the row is not loaded yet: keys continue from there, and the row becomes active once loaded.
  const wantedIndex = useRef<number | null>(null)
  useEffect(() => {
    const row = wantedIndex.current === null ? undefined : rows.at(wantedIndex.current)
    if (row === undefined) return
    wantedIndex.current = null
    onActivate(row)
  }, [rows, onActivate])

  const activateAt = (index: number): void => {
    const row = rows.at(index)
    wantedIndex.current = row === undefined ? index : null
    if (row !== undefined) onActivate(row)
  }
  const goTo = (index: number, isExtending: boolean): void => {
    scrollTo(index)
    if (isExtending && selection.isPossible) selection.extendTo(index)
    else selection.beginAt(index)
    activateAt(index)
  }
  return { wantedIndex, activateAt, goTo }
}

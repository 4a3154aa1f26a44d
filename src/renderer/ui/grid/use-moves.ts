import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

import type { Rows } from './column.ts'
import type { useSelection } from './use-selection.ts'

interface Options<Row> {
  readonly rows: Rows<Row>
  readonly selection: ReturnType<typeof useSelection>
  readonly scrollTo: (place: number) => void
  readonly onActivate: (row: Row) => void
}

/** Actions that change the active row. */
export interface Moves {
  /** A row that becomes active once it is loaded. */
  readonly wantedPlace: RefObject<number | null>
  activateAt(place: number): void
  goTo(place: number, isExtending: boolean): void
}

/** Makes rows active, including those not loaded yet. */
export function useMoves<Row>({ rows, selection, scrollTo, onActivate }: Options<Row>): Moves {
  // After a far jump the row is not loaded yet: keys continue from there, and the row becomes active once loaded.
  const wantedPlace = useRef<number | null>(null)
  useEffect(() => {
    const row = wantedPlace.current === null ? undefined : rows.at(wantedPlace.current)
    if (row === undefined) return
    wantedPlace.current = null
    onActivate(row)
  }, [rows, onActivate])

  const activateAt = (place: number): void => {
    const row = rows.at(place)
    wantedPlace.current = row === undefined ? place : null
    if (row !== undefined) onActivate(row)
  }
  const goTo = (place: number, isExtending: boolean): void => {
    scrollTo(place)
    if (isExtending && selection.isPossible) selection.extendTo(place)
    else selection.beginAt(place)
    activateAt(place)
  }
  return { wantedPlace, activateAt, goTo }
}

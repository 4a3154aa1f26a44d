import type { DragEvent, MouseEvent, RefObject } from 'react'
import { useCallback, useLayoutEffect, useRef } from 'react'

import type { MenuAnchor } from '../menu.tsx'
import type { Rows } from './column.ts'
import type { Moves } from './use-moves.ts'
import type { useSelection } from './use-selection.ts'

/** A stable handler that always runs its latest version, so that rows do not re-render. */
function useEvent<Args extends readonly unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(handler)
  useLayoutEffect(() => {
    newest.current = handler
  })
  return useCallback((...args: Args) => newest.current(...args), [])
}

interface Options<Row> {
  readonly grid: RefObject<HTMLDivElement | null>
  readonly rows: Rows<Row>
  readonly selection: ReturnType<typeof useSelection>
  readonly moves: Moves
  readonly openMenu: (index: number, anchor: MenuAnchor) => void
  readonly onOpen: ((row: Row) => void) | undefined
  readonly onDragOut: ((row: Row, event: DragEvent) => void) | undefined
}

/** Handles clicks on rows; the handlers are stable, so that rows do not re-render. */
export function useGridPointer<Row>({ grid, rows, selection, moves, openMenu, onOpen, onDragOut }: Options<Row>) {
  const onClick = useEvent((index: number, event: MouseEvent) => {
    grid.current?.focus({ preventScroll: true })
    if (rows.at(index) === undefined) return
    if (event.shiftKey && selection.isPossible) selection.extendTo(index)
    else if ((event.ctrlKey || event.metaKey) && selection.isPossible) selection.toggle(index)
    else selection.beginAt(index)
    moves.activateAt(index)
  })
  const onDoubleClick = useEvent((index: number) => {
    const row = rows.at(index)
    if (row !== undefined) onOpen?.(row)
  })
  const onContextMenu = useEvent((index: number, event: MouseEvent) => {
    event.preventDefault()
    const { clientX, clientY } = event
    openMenu(index, { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) })
  })
  const onDragStart = useEvent((index: number, event: DragEvent) => {
    const row = rows.at(index)
    if (row !== undefined) onDragOut?.(row, event)
  })
  return { onClick, onDoubleClick, onContextMenu, onDragStart }
}

import type { KeyboardEvent, RefObject } from 'react'
import { useMemo } from 'react'

import type { MenuAnchor } from '../menu.tsx'
import type { Rows } from './column.ts'
import { commandOf } from './keys.ts'
import type { GridCommand } from './keys.ts'
import { rowAfterKey } from './movement.ts'
import { createTypeAhead, rowStartingWith } from './type-ahead.ts'
import type { Moves } from './use-moves.ts'
import type { useSelection } from './use-selection.ts'

interface Options<Row> {
  readonly grid: RefObject<HTMLDivElement | null>
  /** The element id of a row. */
  readonly rowId: (index: number) => string
  readonly rows: Rows<Row>
  readonly activeIndex: number | null
  readonly pageRows: number
  readonly selection: ReturnType<typeof useSelection>
  readonly moves: Moves
  readonly openMenu: (index: number, anchor: MenuAnchor) => void
  readonly onOpen: ((row: Row) => void) | undefined
  readonly onQuickLook: ((row: Row) => void) | undefined
  readonly nameOf: ((row: Row) => string) | undefined
}

/** Handles the grid's keys: commands, movement and type-ahead. */
export function useGridKeys<Row>(options: Options<Row>): (event: KeyboardEvent) => void {
  const { grid, rowId, rows, activeIndex, pageRows, selection, moves, openMenu, onOpen, onQuickLook, nameOf } = options
  const typeAhead = useMemo(() => createTypeAhead(), [])

  const commands: Readonly<Record<GridCommand, (at: number, row: Row | undefined) => void>> = {
    menu: (at) => {
      const element = document.getElementById(rowId(at))
      if (element !== null) openMenu(at, element)
    },
    selectAll: () => selection.takeAll(),
    toggle: (at) => selection.toggle(Math.max(0, at)),
    clear: () => selection.clear(),
    open: (_, row) => row !== undefined && onOpen?.(row),
    preview: (_, row) => row !== undefined && onQuickLook?.(row),
    header: () => grid.current?.querySelector<HTMLElement>('[data-header]')?.focus(),
  }
  const typeAheadFrom = (letter: string, from: number, nowMs: number): boolean => {
    if (letter.length !== 1 || nameOf === undefined) return false
    const textAt = (index: number): string | undefined => {
      const found = rows.at(index)
      return found === undefined ? undefined : nameOf(found)
    }
    const found = rowStartingWith(textAt, rows.total, typeAhead(letter, nowMs), from)
    if (found !== null) moves.goTo(found, false)
    return found !== null
  }
  const moveBy = (key: string, at: number, isExtending: boolean): boolean => {
    const next = rowAfterKey(key, at, rows.total, pageRows)
    if (next === null) return false
    moves.goTo(next, isExtending)
    return true
  }
  const handles = (event: KeyboardEvent): boolean => {
    const at = moves.wantedIndex.current ?? activeIndex ?? -1
    const row = rows.at(at)
    const command = commandOf(event, {
      hasActiveRow: row !== undefined,
      isAtTop: at <= 0,
      canSelect: selection.isPossible,
      hasSelection: selection.size > 0,
    })
    if (command !== null) {
      commands[command](at, row)
      return true
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false
    return moveBy(event.key, at, event.shiftKey) || typeAheadFrom(event.key, Math.max(0, at), event.timeStamp)
  }
  return (event) => {
    if (event.target !== grid.current || !handles(event)) return
    event.preventDefault()
    // A key handled here must not also trigger a shortcut.
    event.stopPropagation()
  }
}

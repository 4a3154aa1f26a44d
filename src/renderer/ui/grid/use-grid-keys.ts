import type { KeyboardEvent, RefObject } from 'react'
import { useMemo } from 'react'

import type { MenuAnchor } from '../menu.tsx'
import type { Rows } from './column.ts'
import { rowAfterKey } from './movement.ts'
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

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The grid's state when a key is pressed. */
interface GridState {
  readonly hasActiveRow: boolean
  readonly isAtTop: boolean
  readonly canSelect: boolean
  readonly hasSelection: boolean
}

/** The command for a key; null for movement, letters and all other keys. */
type GridCommand = 'menu' | 'selectAll' | 'toggle' | 'clear' | 'open' | 'preview' | 'header'

export function commandOf(pressed: Pressed, state: GridState): GridCommand | null {
  const { key, code, shiftKey } = pressed
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return 'menu'
  if (pressed.ctrlKey || pressed.metaKey) {
    if (!state.canSelect) return null
    return code === 'KeyA' && !shiftKey ? 'selectAll' : key === ' ' ? 'toggle' : null
  }
  if (pressed.altKey) return null
  if (key === 'Escape' && state.hasSelection) return 'clear'
  if (key === 'Enter' && state.hasActiveRow) return 'open'
  if (key === ' ' && state.hasActiveRow) return 'preview'
  if (key === 'ArrowUp' && state.isAtTop && !shiftKey) return 'header'
  return null
}

const pauseMs = 700

/** Collects letters typed in quick succession; a pause starts a new word. */
export function createTypeAhead() {
  let typed = ''
  let lastMs = 0
  return (letter: string, nowMs: number): string => {
    typed = nowMs - lastMs > pauseMs ? letter : typed + letter
    lastMs = nowMs
    return typed.toLocaleLowerCase()
  }
}

/**
 * The next row after `from` that starts with the typed text, wrapping around. Repeating one letter goes to the next
 * match.
 */
export function rowStartingWith(
  textAt: (index: number) => string | undefined,
  total: number,
  typed: string,
  from: number,
): number | null {
  const start = typed.length === 1 ? from + 1 : from
  for (let step = 0; step < total; step += 1) {
    const index = (start + step) % total
    if (textAt(index)?.toLocaleLowerCase().startsWith(typed)) return index
  }
  return null
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

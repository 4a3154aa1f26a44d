import type { KeyboardEvent, MouseEvent } from 'react'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useRowHeight } from '../density.ts'
import type { MenuAnchor, MenuItem } from '../menu.tsx'
import { ContextMenu } from '../menu.tsx'
import type { Column, Rows, Sort } from './column.ts'
import { GridHeader } from './header.tsx'
import type { GridCommand } from './keys.ts'
import { commandOf } from './keys.ts'
import { rowAfterKey } from './movement.ts'
import { GridRow } from './row.tsx'
import { createTypeAhead, rowStartingWith } from './type-ahead.ts'
import { useActivePlace } from './use-active-place.ts'
import { useColumns } from './use-columns.ts'
import { useDrawnRows } from './use-drawn-rows.ts'
import { useEvent } from './use-event.ts'
import { useSelection } from './use-selection.ts'
import styles from './grid.module.css'

interface Props<Row> {
  /** Widths and shown columns are kept under this name. */
  readonly name: string
  readonly label: string
  /** Rows of two lines, whose cells are `TwoLines`. */
  readonly isTall?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: Rows<Row>
  readonly keyOf: (row: Row) => string
  /** The row that the keys start from and the inspector shows. */
  readonly activeKey: string | null
  readonly onActivate: (row: Row) => void
  /** Given, several rows can be selected; the active row alone is no selection. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (keys: ReadonlySet<string>) => void
  /** All keys between two places, for rows that are not read yet; without it only the rows that are there count. */
  readonly readKeys?: (first: number, last: number) => Promise<readonly string[]>
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort) => void
  /** Enter or two clicks. */
  readonly onOpen?: (row: Row) => void
  /** The space bar. */
  readonly onQuickLook?: (row: Row) => void
  readonly menuOf?: (row: Row) => readonly MenuItem[]
  /** What typed letters are compared with. */
  readonly nameOf?: (row: Row) => string
}

/**
 * A table of any length with one tab stop. The grid itself has the focus and names its active row, so the focus
 * survives rows that scroll away; `aria-rowindex` and `aria-rowcount` tell the true place. Keys: arrows, Home, End,
 * PageUp and PageDown move, with Shift they extend, Ctrl+A takes all, Ctrl+Space one, letters jump, Enter opens.
 */
export function Grid<Row>(props: Props<Row>) {
  const { name, label, isTall = false, columns, rows, keyOf, activeKey, onActivate, sort = null, onSort } = props
  const { selected, onSelect, readKeys, onOpen, onQuickLook, menuOf, nameOf } = props
  const { t } = useTranslation('ui')
  const id = useId()
  const grid = useRef<HTMLDivElement>(null)
  const layout = useColumns(name, columns, grid)
  const rowPx = useRowHeight(isTall)
  const typeAhead = useMemo(() => createTypeAhead(), [])
  const [menu, setMenu] = useState<{ readonly anchor: MenuAnchor; readonly row: Row } | null>(null)

  const keyAt = useCallback(
    (place: number): string | undefined => {
      const row = rows.at(place)
      return row === undefined ? undefined : keyOf(row)
    },
    [rows, keyOf],
  )
  const activePlace = useActivePlace(activeKey, rows.total, keyAt)
  const selection = useSelection({ total: rows.total, keyAt, activeKey, activePlace, selected, onSelect, readKeys })
  const { drawn, heightPx, scrollTo, pageRows } = useDrawnRows({ grid, rows, keyAt, activePlace, rowPx })

  // A far jump lands where nothing is read yet: the keys go on from there, and the row becomes active when it is there.
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

  const openMenu = (place: number, anchor: MenuAnchor): void => {
    const row = rows.at(place)
    if (row === undefined || menuOf === undefined) return
    if (!selection.has(keyOf(row))) selection.clear()
    activateAt(place)
    setMenu({ anchor, row })
  }

  const commands: Readonly<Record<GridCommand, (at: number, row: Row | undefined) => void>> = {
    menu(at) {
      const element = document.getElementById(`${id}-${at}`)
      if (element !== null) openMenu(at, element)
    },
    selectAll: () => selection.takeAll(),
    toggle: (at) => selection.toggle(Math.max(0, at)),
    clear: () => selection.clear(),
    open: (_, row) => row !== undefined && onOpen?.(row),
    look: (_, row) => row !== undefined && onQuickLook?.(row),
    header: () => grid.current?.querySelector<HTMLElement>('[data-header]')?.focus(),
  }
  const jumpTo = (letter: string, from: number, nowMs: number): boolean => {
    if (letter.length !== 1 || nameOf === undefined) return false
    const textAt = (place: number): string | undefined => {
      const found = rows.at(place)
      return found === undefined ? undefined : nameOf(found)
    }
    const found = rowStartingWith(textAt, rows.total, typeAhead(letter, nowMs), from)
    if (found !== null) goTo(found, false)
    return found !== null
  }
  const moveBy = (key: string, at: number, isExtending: boolean): boolean => {
    const next = rowAfterKey(key, at, rows.total, pageRows)
    if (next === null) return false
    goTo(next, isExtending)
    return true
  }
  const takes = (event: KeyboardEvent): boolean => {
    const at = wantedPlace.current ?? activePlace ?? -1
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
    return moveBy(event.key, at, event.shiftKey) || jumpTo(event.key, Math.max(0, at), event.timeStamp)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== grid.current || !takes(event)) return
    event.preventDefault()
    // A key that a list takes is no shortcut of the window.
    event.stopPropagation()
  }

  const onClick = useEvent((place: number, event: MouseEvent) => {
    grid.current?.focus({ preventScroll: true })
    if (rows.at(place) === undefined) return
    if (event.shiftKey && selection.isPossible) selection.extendTo(place)
    else if ((event.ctrlKey || event.metaKey) && selection.isPossible) selection.toggle(place)
    else selection.beginAt(place)
    activateAt(place)
  })
  const onDoubleClick = useEvent((place: number) => {
    const row = rows.at(place)
    if (row !== undefined) onOpen?.(row)
  })
  const onContextMenu = useEvent((place: number, event: MouseEvent) => {
    event.preventDefault()
    const { clientX, clientY } = event
    openMenu(place, { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) })
  })

  return (
    <>
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.total + 1}
        aria-multiselectable={onSelect !== undefined || undefined}
        aria-activedescendant={activePlace === null ? undefined : `${id}-${activePlace}`}
        data-tall={isTall || undefined}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const first = rows.at(0)
          if (event.target === grid.current && activePlace === null && first !== undefined) onActivate(first)
        }}
      >
        <GridHeader columns={columns} layout={layout} sort={sort} onSort={onSort} grid={grid} />
        <div role="rowgroup" className={styles.body} style={{ height: heightPx }}>
          {drawn.map(({ index, start }) => {
            const row = rows.at(index)
            const key = row === undefined ? null : keyOf(row)
            return (
              <GridRow
                key={key ?? index}
                id={`${id}-${index}`}
                place={index}
                row={row}
                columns={layout.shown}
                template={layout.template}
                topPx={start}
                isActive={index === activePlace}
                isSelected={selection.size > 0 ? key !== null && selection.has(key) : index === activePlace}
                loading={t('grid.loadingRow')}
                onClick={onClick}
                onDoubleClick={onDoubleClick}
                onContextMenu={onContextMenu}
              />
            )
          })}
        </div>
      </div>
      {menu !== null && (
        <ContextMenu
          anchor={menu.anchor}
          items={menuOf?.(menu.row) ?? []}
          returnTo={grid}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  )
}

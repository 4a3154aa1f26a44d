import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { useRowHeight } from '../density.ts'
import { useShown } from '../for-developers.ts'
import { ContextMenu } from '../menu.tsx'
import type { MenuAnchor, MenuItem } from '../menu.tsx'
import { enterFromPane } from '../panes.ts'
import { PassingContext, usePassing } from '../passing.ts'
import type { Column, Rows, Sort } from './column.ts'
import styles from './grid.module.css'
import { GridHeader } from './header.tsx'
import { indexOfKey } from './movement.ts'
import { GridRow } from './row.tsx'
import { useColumns } from './use-columns.ts'
import { useDrawnRows } from './use-drawn-rows.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { useMoves } from './use-moves.ts'
import { useSelection } from './use-selection.ts'

/** The index of the active row, or null if it is not loaded. */
function useActiveIndex(
  activeKey: string | null,
  total: number,
  keyAt: (index: number) => string | undefined,
): number | null {
  const last = useRef(0)
  const index = useMemo(
    // The ref only hints where to search first; it does not change the result.
    // oxlint-disable-next-line react/refs
    () => (activeKey === null ? null : indexOfKey(keyAt, total, activeKey, last.current)),
    [activeKey, keyAt, total],
  )
  useLayoutEffect(() => {
    if (index !== null) last.current = index
  }, [index])
  return index
}

interface Props<Row> {
  /** Key under which widths and visible columns are persisted. */
  readonly name: string
  readonly label: string
  /** Two-line rows, whose cells are `TwoLines`. */
  readonly isTall?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: Rows<Row>
  readonly keyOf: (row: Row) => string
  /** The row that keyboard navigation starts from and the inspector shows. */
  readonly activeKey: string | null
  readonly onActivate: (row: Row) => void
  /** Enables multiple selection; the active row alone is not selected. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (keys: ReadonlySet<string>) => void
  /** Reads the keys in a range that includes rows not loaded yet; without it, only loaded rows count. */
  readonly readKeys?: (first: number, last: number) => Promise<readonly string[]>
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort) => void
  /** Enter or double-click. */
  readonly onOpen?: (row: Row) => void
  /** The space bar. */
  readonly onQuickLook?: (row: Row) => void
  readonly menuOf?: (row: Row) => readonly MenuItem[]
  /** Begins to drag a row out of the window. */
  readonly onDragOut?: (row: Row, event: DragEvent) => void
  /** The text that type-ahead compares with. */
  readonly nameOf?: (row: Row) => string
}

/**
 * A virtualised table with one tab stop. The grid holds the focus and names its active row, so that the focus survives
 * scrolling; `aria-rowindex` and `aria-rowcount` give true positions. Arrows, Home, End, PageUp and PageDown move, with
 * Shift they extend; Ctrl+A selects all, Ctrl+Space toggles one, letters jump, Enter opens.
 */
export function Grid<Row>(props: Props<Row>) {
  const { name, label, isTall = false, rows, keyOf, activeKey, onActivate, sort = null, onSort } = props
  const { selected, onSelect, readKeys, onOpen, onQuickLook, onDragOut, menuOf, nameOf } = props
  const columns = useShown(props.columns)
  const id = useId()
  const grid = useRef<HTMLDivElement>(null)
  const layout = useColumns(name, columns, grid)
  const rowPx = useRowHeight(isTall)
  const isPassing = usePassing(grid)
  useEffect(() => enterFromPane(grid.current), [])
  const [menu, setMenu] = useState<{ readonly anchor: MenuAnchor; readonly row: Row } | null>(null)

  const keyAt = useCallback(
    (index: number): string | undefined => {
      const row = rows.at(index)
      return row === undefined ? undefined : keyOf(row)
    },
    [rows, keyOf],
  )
  const activeIndex = useActiveIndex(activeKey, rows.total, keyAt)
  const selection = useSelection({ total: rows.total, keyAt, activeKey, activeIndex, selected, onSelect, readKeys })
  const { drawn, heightPx, scrollTo, pageRows } = useDrawnRows({ grid, rows, keyAt, activeIndex, rowPx })

  const moves = useMoves({ rows, selection, scrollTo, onActivate })
  const openMenu = (index: number, anchor: MenuAnchor): void => {
    const row = rows.at(index)
    if (row === undefined || menuOf === undefined) return
    if (!selection.has(keyOf(row))) selection.clear()
    moves.activateAt(index)
    setMenu({ anchor, row })
  }

  const rowId = (index: number): string => `${id}-${index}`
  const actionProps = { grid, rows, selection, moves, openMenu, onOpen }
  const onKeyDown = useGridKeys({ ...actionProps, rowId, activeIndex, pageRows, onQuickLook, nameOf })
  const pointer = useGridPointer({ ...actionProps, onDragOut })

  return (
    <>
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.total + 1}
        aria-multiselectable={onSelect !== undefined || undefined}
        aria-activedescendant={activeIndex === null ? undefined : rowId(activeIndex)}
        data-tall={isTall || undefined}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onFocus={({ target, relatedTarget }) => {
          const first = rows.at(0)
          // Focus that did not come from an element outside its pane came with the screen: it selects nothing.
          const wasMoved = relatedTarget !== null && !relatedTarget.contains(target)
          if (wasMoved && target === grid.current && activeIndex === null && first !== undefined) onActivate(first)
        }}
      >
        <GridHeader columns={columns} layout={layout} sort={sort} onSort={onSort} grid={grid} />
        <PassingContext value={isPassing}>
          <Body
            rowId={rowId}
            drawn={drawn}
            heightPx={heightPx}
            rows={rows}
            keyOf={keyOf}
            layout={layout}
            selection={selection}
            activeIndex={activeIndex}
            pointer={pointer}
            isDraggable={onDragOut !== undefined}
          />
        </PassingContext>
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

interface BodyProps<Row> extends Pick<Props<Row>, 'rows' | 'keyOf'> {
  readonly rowId: (index: number) => string
  readonly drawn: ReturnType<typeof useDrawnRows>['drawn']
  readonly heightPx: number
  readonly layout: ReturnType<typeof useColumns<Row>>
  readonly selection: ReturnType<typeof useSelection>
  readonly activeIndex: number | null
  readonly pointer: ReturnType<typeof useGridPointer>
  readonly isDraggable: boolean
}

/** The rendered rows at their positions in the full list. */
function Body<Row>(props: BodyProps<Row>) {
  const { rowId, drawn, heightPx, rows, keyOf, layout, selection, activeIndex, pointer, isDraggable } = props
  const { t } = useTranslation('ui')
  return (
    <div role="rowgroup" className={styles.body} style={{ height: heightPx }}>
      {drawn.map(({ index, start }) => {
        const row = rows.at(index)
        const key = row === undefined ? null : keyOf(row)
        return (
          <GridRow
            key={key ?? index}
            id={rowId(index)}
            index={index}
            row={row}
            columns={layout.shown}
            template={layout.template}
            topPx={start}
            isActive={index === activeIndex}
            isSelected={selection.size > 0 ? key !== null && selection.has(key) : index === activeIndex}
            loading={t('grid.loadingRow')}
            isDraggable={isDraggable}
            {...pointer}
          />
        )
      })}
    </div>
  )
}

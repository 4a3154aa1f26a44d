import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useEffect, useLayoutEffect } from 'react'

import type { Rows } from './column.ts'
import { useStillScroll } from './use-still-scroll.ts'

const overscanRows = 8
const headPx = 28

interface Options<Row> {
  readonly grid: RefObject<HTMLElement | null>
  readonly rows: Rows<Row>
  readonly keyAt: (place: number) => string | undefined
  readonly activePlace: number | null
  readonly rowPx: number
}

/** The rows to render: those in view with a margin, and the active one. */
export function useDrawnRows<Row>({ grid, rows, keyAt, activePlace, rowPx }: Options<Row>) {
  // Mutable by design; it re-renders the grid on every change.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.total,
    getScrollElement: () => grid.current,
    estimateSize: () => rowPx,
    overscan: overscanRows,
    scrollPaddingStart: headPx,
    // Always render the active row, since the grid references it as its focus.
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range)
      return activePlace === null || drawn.includes(activePlace) ? drawn : [activePlace, ...drawn]
    },
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowPx])
  useStillScroll(grid, rows, keyAt, rowPx)

  const { range } = virtualizer
  const firstSeen = range?.startIndex ?? 0
  const lastSeen = range?.endIndex ?? 0
  useEffect(() => {
    rows.onVisible?.(Math.max(0, firstSeen - overscanRows), Math.min(rows.total - 1, lastSeen + overscanRows))
  }, [rows, firstSeen, lastSeen])
  return {
    drawn: virtualizer.getVirtualItems(),
    heightPx: virtualizer.getTotalSize(),
    scrollTo: (place: number) => virtualizer.scrollToIndex(place),
    /** The step of the page keys. */
    pageRows: Math.max(1, lastSeen - firstSeen - 1),
  }
}

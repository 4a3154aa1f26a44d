import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef } from 'react'

import type { Rows } from './column.ts'
import { indexOfKey } from './movement.ts'

/**
 * Keeps a scrolled list in place when rows arrive above. At the top, new rows stay visible instead; a new query scrolls
 * to the top.
 */
function useStillScroll<Row>(
  scroller: RefObject<HTMLElement | null>,
  rows: Rows<Row>,
  keyAt: (index: number) => string | undefined,
  rowPx: number,
): void {
  const top = useRef<{ readonly key: string; readonly index: number } | null>(null)
  const generation = useRef(rows.generation)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    if (generation.current !== rows.generation) {
      generation.current = rows.generation
      element.scrollTo({ top: 0, behavior: 'instant' })
    } else if (top.current !== null && element.scrollTop > 0) {
      const index = indexOfKey(keyAt, rows.total, top.current.key, top.current.index)
      if (index !== null && index !== top.current.index)
        element.scrollBy({ top: (index - top.current.index) * rowPx, behavior: 'instant' })
    }
    const remember = (): void => {
      const index = Math.floor(element.scrollTop / rowPx)
      const key = keyAt(index)
      top.current = key === undefined ? null : { key, index }
    }
    remember()
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [scroller, rows, keyAt, rowPx])
}

const overscanRows = 8
const headPx = 28

interface Options<Row> {
  readonly grid: RefObject<HTMLElement | null>
  readonly rows: Rows<Row>
  readonly keyAt: (index: number) => string | undefined
  readonly activeIndex: number | null
  readonly rowPx: number
}

/** The rows to render: those in view with a margin, and the active one. */
export function useDrawnRows<Row>({ grid, rows, keyAt, activeIndex, rowPx }: Options<Row>) {
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
      return activeIndex === null || drawn.includes(activeIndex) ? drawn : [activeIndex, ...drawn]
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
    scrollTo: (index: number) => virtualizer.scrollToIndex(index),
    /** The step of the page keys. */
    pageRows: Math.max(1, lastSeen - firstSeen - 1),
  }
}

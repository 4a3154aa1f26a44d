import type { RefObject } from 'react'
import { useLayoutEffect, useRef } from 'react'

import type { Rows } from './column.ts'
import { placeOf } from './movement.ts'

/**
 * Keeps a scrolled list in place when rows arrive above. At the top, new rows stay visible instead; a new query scrolls
 * to the top.
 */
export function useStillScroll<Row>(
  scroller: RefObject<HTMLElement | null>,
  rows: Rows<Row>,
  keyAt: (place: number) => string | undefined,
  rowPx: number,
): void {
  const top = useRef<{ readonly key: string; readonly place: number } | null>(null)
  const generation = useRef(rows.generation)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    if (generation.current !== rows.generation) {
      generation.current = rows.generation
      element.scrollTo({ top: 0, behavior: 'instant' })
    } else if (top.current !== null && element.scrollTop > 0) {
      const place = placeOf(keyAt, rows.total, top.current.key, top.current.place)
      if (place !== null && place !== top.current.place)
        element.scrollBy({ top: (place - top.current.place) * rowPx, behavior: 'instant' })
    }
    const remember = (): void => {
      const place = Math.floor(element.scrollTop / rowPx)
      const key = keyAt(place)
      top.current = key === undefined ? null : { key, place }
    }
    remember()
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [scroller, rows, keyAt, rowPx])
}

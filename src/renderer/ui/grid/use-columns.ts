import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'
import { z } from 'zod'

import { useKept } from '../kept.ts'
import type { Column } from './column.ts'

const layoutSchema = z.object({ widths: z.record(z.string(), z.number()), shown: z.record(z.string(), z.boolean()) })

const smallestPx = 48
const largestPx = 640

/** Visible columns and their widths, from the person's choices and the available space. */
export function useColumns<Row>(name: string, columns: readonly Column<Row>[], frame: RefObject<HTMLElement | null>) {
  const [layout, setLayout] = useKept(`columns:${name}`, layoutSchema, { widths: {}, shown: {} })
  const [roomPx, setRoom] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    // Measured before the first paint, so that no column flashes.
    // oxlint-disable-next-line react/set-state-in-effect
    setRoom(element.clientWidth)
    const observer = new ResizeObserver(() => setRoom(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])

  /** A person's choice holds at every width; otherwise the width decides. */
  const isShown = (column: Column<Row>): boolean =>
    column.width === undefined ||
    (layout.shown[column.key] ?? (column.isHiddenAtFirst !== true && roomPx >= (column.shownFrom ?? 0)))
  const widthOf = (column: Column<Row>): number | undefined =>
    column.width === undefined ? undefined : (layout.widths[column.key] ?? column.width)
  const shown = columns.filter(isShown)
  return {
    shown,
    template: shown
      .map((column) => {
        const width = widthOf(column)
        return width === undefined ? `minmax(${column.leastWidth ?? 96}px, 1fr)` : `${width}px`
      })
      .join(' '),
    isShown,
    widthOf,
    resize: (column: Column<Row>, width: number) => {
      const inBounds = Math.round(Math.max(smallestPx, Math.min(largestPx, width)))
      setLayout({ ...layout, widths: { ...layout.widths, [column.key]: inBounds } })
    },
    show: (column: Column<Row>, isIn: boolean) =>
      setLayout({ ...layout, shown: { ...layout.shown, [column.key]: isIn } }),
    reset: () => setLayout({ widths: {}, shown: {} }),
  }
}

import { useLayoutEffect, useMemo, useRef } from 'react'

import { placeOf } from './movement.ts'

/** The place of the active row among the rows that are there, or null. */
export function useActivePlace(
  activeKey: string | null,
  total: number,
  keyAt: (place: number) => string | undefined,
): number | null {
  const last = useRef(0)
  const place = useMemo(
    // Only where to look first: the place is the same whatever it says.
    // oxlint-disable-next-line react/refs
    () => (activeKey === null ? null : placeOf(keyAt, total, activeKey, last.current)),
    [activeKey, keyAt, total],
  )
  useLayoutEffect(() => {
    if (place !== null) last.current = place
  }, [place])
  return place
}

import { useLayoutEffect, useMemo, useRef } from 'react'

import { placeOf } from './movement.ts'

/** The index of the active row, or null if it is not loaded. */
export function useActiveIndex(
  activeKey: string | null,
  total: number,
  keyAt: (place: number) => string | undefined,
): number | null {
  const last = useRef(0)
  const place = useMemo(
    // The ref only hints where to search first; it does not change the result.
    // oxlint-disable-next-line react/refs
    () => (activeKey === null ? null : placeOf(keyAt, total, activeKey, last.current)),
    [activeKey, keyAt, total],
  )
  useLayoutEffect(() => {
    if (place !== null) last.current = place
  }, [place])
  return place
}

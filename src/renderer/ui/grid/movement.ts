/**
 * The row index after a key press at row `at` of `count`, or null if the key does not move. Page keys move by `page`
 * rows.
 */
export function rowAfterKey(key: string, at: number, count: number, page: number): number | null {
  if (count === 0) return null
  const last = count - 1
  const target: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - page,
    PageDown: at + page,
    Home: 0,
    End: last,
  }
  const row = Object.hasOwn(target, key) ? target[key] : undefined
  return row === undefined ? null : Math.max(0, Math.min(last, row))
}

/** The index of the row with this key, searched outwards from `near`; null if it is not loaded. */
export function indexOfKey(keyAt: (index: number) => string | undefined, total: number, key: string, near: number) {
  const reach = Math.max(near, total - near)
  for (let distance = 0; distance <= reach; distance += 1) {
    if (keyAt(near + distance) === key) return near + distance
    if (distance > 0 && keyAt(near - distance) === key) return near - distance
  }
  return null
}

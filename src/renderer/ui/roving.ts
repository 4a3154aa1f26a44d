/** The row a key leads to from row `at` of `count`, or null when the key does not move. Page keys jump ten rows. */
export function rowAfterKey(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  const last = count - 1
  const target: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - 10,
    PageDown: at + 10,
    Home: 0,
    End: last,
  }
  const row = Object.hasOwn(target, key) ? target[key] : undefined
  return row === undefined ? null : Math.max(0, Math.min(last, row))
}

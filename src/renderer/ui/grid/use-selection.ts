import { useRef } from 'react'

import { placeOf } from './movement.ts'

interface Options {
  readonly total: number
  readonly keyAt: (place: number) => string | undefined
  readonly activeKey: string | null
  readonly activePlace: number | null
  readonly selected: ReadonlySet<string> | undefined
  readonly onSelect: ((keys: ReadonlySet<string>) => void) | undefined
  readonly readKeys: ((first: number, last: number) => Promise<readonly string[]>) | undefined
}

const none: ReadonlySet<string> = new Set()

/** Multiple selection with an anchor; without `onSelect`, only the active row. */
export function useSelection(options: Options) {
  const { total, keyAt, activeKey, activePlace, selected = none, onSelect, readKeys } = options
  // By key, since new rows above shift the index.
  const anchor = useRef<{ readonly key: string | undefined; readonly place: number } | null>(null)
  const anchorAt = (place: number): void => {
    anchor.current = { key: keyAt(place), place }
  }
  const anchorPlace = (): number | null => {
    if (anchor.current === null) return null
    const { key, place } = anchor.current
    return key === undefined ? place : placeOf(keyAt, total, key, place)
  }

  const keysBetween = async (one: number, other: number): Promise<readonly string[]> => {
    const [first, last] = [Math.min(one, other), Math.max(one, other)]
    const keys = Array.from({ length: last - first + 1 }, (_, at) => keyAt(first + at))
    const isComplete = keys.every((key) => key !== undefined)
    if (!isComplete && readKeys) return readKeys(first, last)
    return keys.filter((key) => key !== undefined)
  }
  const clear = (): void => {
    if (selected.size > 0) onSelect?.(none)
  }
  return {
    isPossible: onSelect !== undefined,
    size: selected.size,
    has: (key: string) => selected.has(key),
    clear,
    /** Clears the selection and anchors the next one here. */
    beginAt(place: number): void {
      anchorAt(place)
      clear()
    },
    extendTo(place: number): void {
      const from = anchorPlace() ?? activePlace ?? place
      anchorAt(from)
      void keysBetween(from, place).then((keys) => onSelect?.(new Set(keys)))
    },
    takeAll(): void {
      void keysBetween(0, total - 1).then((keys) => onSelect?.(new Set(keys)))
    },
    toggle(place: number): void {
      const key = keyAt(place)
      if (key === undefined) return
      // The active row is not selected yet; adding a second row selects both.
      const before = selected.size === 0 && activeKey !== null && activeKey !== key ? [activeKey] : []
      const keys = new Set([...selected, ...before])
      if (!keys.delete(key)) keys.add(key)
      anchorAt(place)
      onSelect?.(keys)
    },
  }
}

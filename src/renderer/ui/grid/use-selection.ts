import { useRef } from 'react'

import { indexOfKey } from './movement.ts'

interface Options {
  readonly total: number
  readonly keyAt: (index: number) => string | undefined
  readonly activeKey: string | null
  readonly activeIndex: number | null
  readonly selected: ReadonlySet<string> | undefined
  readonly onSelect: ((keys: ReadonlySet<string>) => void) | undefined
  readonly readKeys: ((first: number, last: number) => Promise<readonly string[]>) | undefined
}

const none: ReadonlySet<string> = new Set()

/** Multiple selection with an anchor; without `onSelect`, only the active row. */
export function useSelection(options: Options) {
  const { total, keyAt, activeKey, activeIndex, selected = none, onSelect, readKeys } = options
  // By key, since new rows above shift the index.
  const anchor = useRef<{ readonly key: string | undefined; readonly index: number } | null>(null)
  const anchorAt = (index: number): void => {
    anchor.current = { key: keyAt(index), index }
  }
  const anchorIndex = (): number | null => {
    if (anchor.current === null) return null
    const { key, index } = anchor.current
    return key === undefined ? index : indexOfKey(keyAt, total, key, index)
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
    beginAt(index: number): void {
      anchorAt(index)
      clear()
    },
    extendTo(index: number): void {
      const from = anchorIndex() ?? activeIndex ?? index
      anchorAt(from)
      void keysBetween(from, index).then((keys) => onSelect?.(new Set(keys)))
    },
    takeAll(): void {
      void keysBetween(0, total - 1).then((keys) => onSelect?.(new Set(keys)))
    },
    toggle(index: number): void {
      const key = keyAt(index)
      if (key === undefined) return
      // The active row is not selected yet; adding a second row selects both.
      const before = selected.size === 0 && activeKey !== null && activeKey !== key ? [activeKey] : []
      const keys = new Set([...selected, ...before])
      if (!keys.delete(key)) keys.add(key)
      anchorAt(index)
      onSelect?.(keys)
    },
  }
}

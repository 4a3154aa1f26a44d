import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { oneAtATime } from '../bridge/one-at-a-time.ts'

/** A slice of a list: rows from `offset` on, and the total number. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface PagesState<Row> {
  readonly kind: 'loading' | 'ready' | 'failed'
  readonly total: number
  /** Counts queries; a refresh keeps the number. */
  readonly generation: number
  /** Rows by index; only the slices read so far. */
  readonly rows: ReadonlyMap<number, Row>
  /** Reads the rows from `first` to `last` that are not loaded yet. */
  onVisible(first: number, last: number): void
  /** Reloads the visible rows and drops the rest; old rows stay until the answer arrives. */
  refresh(): Promise<void>
  /** Clears the list and reads it again, as for another site. */
  restart(): Promise<void>
  /** Reads from the top for another search or sort; old rows stay until the answer arrives. */
  renew(): Promise<void>
}

const pageRows = 100

/**
 * A list too long to hold: pages of 100 rows, read as they scroll into view. A reload replaces the visible pages in one
 * step, so that a live list neither flickers nor jumps.
 */
export function createPages<Row>(
  read: (offset: number, limit: number) => Promise<Page<Row>>,
): StoreApi<PagesState<Row>> {
  let generation = 0
  let visible = { first: 0, last: pageRows - 1 }
  const requested = new Set<number>()

  return createStore<PagesState<Row>>()((set, get) => {
    const pageOf = (row: number): number => Math.floor(row / pageRows)
    const visiblePages = (): readonly number[] => {
      const first = pageOf(visible.first)
      return Array.from({ length: pageOf(visible.last) - first + 1 }, (_, at) => first + at)
    }
    const readPage = async (page: number) => {
      const answer = await read(page * pageRows, pageRows)
      return { page, ...answer }
    }
    const indexed = (page: number, rows: readonly Row[]): readonly (readonly [number, Row])[] =>
      rows.map((row, at) => [page * pageRows + at, row] as const)

    const refresh = oneAtATime(async () => {
      const mine = generation
      try {
        const pages = await Promise.all(visiblePages().map(readPage))
        if (mine !== generation) return
        requested.clear()
        set({
          kind: 'ready',
          total: pages[0]?.total ?? 0,
          generation: mine,
          rows: new Map(pages.flatMap(({ page, rows }) => indexed(page, rows))),
        })
      } catch {
        // Main has logged it; the list shows that it could not be read.
        if (mine === generation) set({ kind: 'failed' })
      }
    })
    const readMore = async (page: number): Promise<void> => {
      const mine = generation
      requested.add(page)
      try {
        const { rows, total } = await readPage(page)
        if (mine !== generation) return
        set({ total, rows: new Map([...get().rows, ...indexed(page, rows)]) })
      } catch {
        if (mine === generation) set({ kind: 'failed' })
      } finally {
        requested.delete(page)
      }
    }
    const renew = (): Promise<void> => {
      generation += 1
      visible = { first: 0, last: pageRows - 1 }
      requested.clear()
      return refresh()
    }
    return {
      kind: 'loading',
      total: 0,
      generation,
      rows: new Map(),
      onVisible: (first, last) => {
        visible = { first, last: Math.max(first, last) }
        if (get().kind !== 'ready') return
        for (const page of visiblePages()) {
          const start = page * pageRows
          if (start < get().total && !get().rows.has(start) && !requested.has(page)) void readMore(page)
        }
      },
      refresh,
      renew,
      restart: () => {
        set({ kind: 'loading', total: 0, rows: new Map() })
        return renew()
      },
    }
  })
}

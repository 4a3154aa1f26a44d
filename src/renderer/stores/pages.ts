import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { oneAtATime } from '../bridge/one-at-a-time.ts'

/** One stretch of a list as main gives it: rows `offset` and on, and how many there are in all. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface PagesState<Row> {
  readonly kind: 'loading' | 'ready' | 'failed'
  readonly total: number
  /** Which question the rows answer, counted: a refresh asks the same one again. */
  readonly era: number
  /** Rows by their place in the list; only the stretches that were looked at are there. */
  readonly rows: ReadonlyMap<number, Row>
  /** Asks for the rows from `first` to `last`; what is there already is not read again. */
  look(first: number, last: number): void
  /** Reads again what is looked at and forgets the rest; until the answer is there, the old rows stay. */
  refresh(): Promise<void>
  /** Starts over, as for another site. */
  restart(): Promise<void>
  /** Starts over from the top as for another search or sort; until the answer is there, the old rows stay. */
  renew(): Promise<void>
}

const pageRows = 100

/**
 * A list that is too long to hold: pages of 100 rows, read as they come into view. A re-read replaces the visible
 * pages in one step, so a live list neither flickers nor jumps.
 */
export function createPages<Row>(
  read: (offset: number, limit: number) => Promise<Page<Row>>,
): StoreApi<PagesState<Row>> {
  let era = 0
  let looked = { first: 0, last: pageRows - 1 }
  const wanted = new Set<number>()

  return createStore<PagesState<Row>>()((set, get) => {
    const pageOf = (row: number): number => Math.floor(row / pageRows)
    const lookedPages = (): readonly number[] => {
      const first = pageOf(looked.first)
      return Array.from({ length: pageOf(looked.last) - first + 1 }, (_, at) => first + at)
    }
    const readPage = async (page: number) => {
      const answer = await read(page * pageRows, pageRows)
      return { page, ...answer }
    }
    const placed = (page: number, rows: readonly Row[]): readonly (readonly [number, Row])[] =>
      rows.map((row, at) => [page * pageRows + at, row] as const)

    const refresh = oneAtATime(async () => {
      const mine = era
      try {
        const pages = await Promise.all(lookedPages().map(readPage))
        if (mine !== era) return
        wanted.clear()
        set({
          kind: 'ready',
          total: pages[0]?.total ?? 0,
          era: mine,
          rows: new Map(pages.flatMap(({ page, rows }) => placed(page, rows))),
        })
      } catch {
        // Main has logged it; the list says that it could not be read.
        if (mine === era) set({ kind: 'failed' })
      }
    })
    const readMore = async (page: number): Promise<void> => {
      const mine = era
      wanted.add(page)
      try {
        const { rows, total } = await readPage(page)
        if (mine !== era) return
        set({ total, rows: new Map([...get().rows, ...placed(page, rows)]) })
      } catch {
        if (mine === era) set({ kind: 'failed' })
      } finally {
        wanted.delete(page)
      }
    }
    const renew = (): Promise<void> => {
      era += 1
      looked = { first: 0, last: pageRows - 1 }
      wanted.clear()
      return refresh()
    }
    return {
      kind: 'loading',
      total: 0,
      era,
      rows: new Map(),
      look: (first, last) => {
        looked = { first, last: Math.max(first, last) }
        if (get().kind !== 'ready') return
        for (const page of lookedPages()) {
          const start = page * pageRows
          if (start < get().total && !get().rows.has(start) && !wanted.has(page)) void readMore(page)
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

import { expect, it } from 'vitest'

import { createPages } from '../../../src/renderer/stores/pages.ts'
import { settled } from '../support/settled.ts'

/** A list of numbers in main, and how often each stretch of it was read. */
function aList(length: number) {
  let rows = Array.from({ length }, (_, at) => at)
  const reads: number[] = []
  const pages = createPages<number>(async (offset, limit) => {
    reads.push(offset)
    await Promise.resolve()
    return { total: rows.length, rows: rows.slice(offset, offset + limit) }
  })
  return { pages, reads, setRows: (next: number[]) => (rows = next), rows: () => rows }
}

it('reads rows once, when they become visible', async () => {
  const { pages, reads } = aList(100_000)
  await pages.getState().restart()
  expect(pages.getState()).toMatchObject({ kind: 'ready', total: 100_000 })
  pages.getState().onVisible(50_040, 50_110)
  pages.getState().onVisible(50_041, 50_111)
  await settled()
  expect(reads).toEqual([0, 50_000, 50_100])
  expect(pages.getState().rows.get(50_100)).toBe(50_100)
  expect(pages.getState().rows.has(60_000)).toBe(false)
})

it('a refresh replaces the visible rows in one step and drops the rest', async () => {
  const { pages, setRows, rows } = aList(1000)
  await pages.getState().restart()
  pages.getState().onVisible(500, 520)
  await settled()
  setRows([-1, ...rows()])
  const seen: unknown[] = []
  pages.subscribe(({ rows, total }) => seen.push([total, rows.get(500)]))
  await pages.getState().refresh()
  expect(seen).toEqual([[1001, 499]])
  expect(pages.getState().rows.has(0)).toBe(false)
  pages.getState().onVisible(0, 20)
  await settled()
  expect(pages.getState().rows.get(0)).toBe(-1)
})

it('an answer to an older query is dropped', async () => {
  let answer: (page: { rows: readonly string[]; total: number }) => void = () => {}
  let asked = 0
  const pages = createPages<string>(() => {
    asked += 1
    if (asked > 1) return Promise.resolve({ rows: ['new'], total: 1 })
    return new Promise((resolve) => {
      answer = resolve
    })
  })
  const first = pages.getState().restart()
  const second = pages.getState().restart()
  answer({ rows: ['old'], total: 1 })
  await Promise.all([first, second])
  expect(pages.getState().rows.get(0)).toBe('new')
})

it('reports a list that could not be read', async () => {
  const pages = createPages(() => Promise.reject(new Error('fault')))
  await pages.getState().restart()
  expect(pages.getState().kind).toBe('failed')
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

import { noFilters } from '../../../../src/contract/ipc/materials.ts'
import type { Index } from '../../../../src/main/library/db/library-index.ts'
import { openLibrary } from '../../../../src/main/library/db/open-library.ts'
import { allCallbacks } from '../../../support/all-callbacks.ts'
import { fillLibrary } from '../../../support/large-library.ts'
import { acme } from './sample.ts'

// A fifth of what the interface must support, so that the suite stays quick. The limit is that of the full size.
const size = { materials: 2_000, versions: 4_000, callbacks: 10_000 }
const limitMs = 100

let index: Index

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-scale-'))
  await fillLibrary(folder, acme, size)
  const library = await openLibrary(
    folder,
    () => new Date(),
    () => undefined,
  )
  index = library.index
  return async () => {
    library.close()
    await rm(folder, { recursive: true })
  }
}, 120_000)

/** The median of five runs, so that a busy machine does not count. */
function medianMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedMs = performance.now()
    work()
    return performance.now() - startedMs
  })
  return runs.toSorted((a, b) => a - b)[2] ?? Number.POSITIVE_INFINITY
}

describe('lists of a large library', () => {
  const sort = { by: 'saved', direction: 'down' } as const
  const query = { site: 'acme', text: '', filters: noFilters, sort, offset: 0, limit: 100 }
  const log = { filters: { ...allCallbacks, site: 'acme' }, upTo: null, offset: 0, limit: 100 }
  const newest = { by: 'arrival', direction: 'down' } as const

  it.each<readonly [string, () => { readonly total: number }, number]>([
    ['the first page', () => index.materialList.query(query), size.materials],
    ['a page far down', () => index.materialList.query({ ...query, offset: 1_900 }), size.materials],
    ['by title', () => index.materialList.query({ ...query, sort: { by: 'title', direction: 'up' } }), size.materials],
    ['a tag', () => index.materialList.query({ ...query, filters: { ...noFilters, tags: ['archive'] } }), 200],
    [
      'words that are on every page',
      () => index.materialList.query({ ...query, text: 'h', sort: { by: 'relevance', direction: 'down' } }),
      size.materials,
    ],
    ['the log', () => index.callbackList.query({ ...log, sort: newest }), size.callbacks],
    [
      'a part of a word in the log',
      () => index.callbackList.query({ ...log, sort: newest, filters: { ...log.filters, text: 'v9999' } }),
      1,
    ],
    [
      'the slowest',
      () => index.callbackList.query({ ...log, sort: { by: 'duration', direction: 'down' } }),
      size.callbacks,
    ],
  ])(`%s within ${limitMs} ms`, (_name, work, total) => {
    expect(work().total).toBe(total)
    expect(medianMs(work)).toBeLessThan(limitMs)
  })
})

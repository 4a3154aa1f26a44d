import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { RebuildReport } from '../../../../packages/library/care/rebuild.ts'
import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import type { Index } from '../../../../packages/library/db/library-index.ts'
import { fillSegment } from '../../../support/fill-segment.ts'
import type { MadeLibrary } from './library.ts'
import { copyOf, expectWhole, factsOf, findingsOf, forever, makeLibrary, now, open, openQuickly } from './library.ts'

// A library whose log has several segments, one of them missing.

let made: MadeLibrary
let facts: readonly unknown[]
beforeAll(async () => {
  made = await makeLibrary()
  const whole = await openQuickly(made.folder)
  facts = factsIn(whole.index)
  whole.close()
})
afterAll(() => made.remove())

const factsIn = (index: Index): readonly unknown[] => made.sent.map((sent) => factsOf(index, sent))

describe('a log of several segments', () => {
  /** A library with three segments and the saves in the first one; returns the names of the segments. */
  async function inSegments() {
    const place = await copyOf(made.folder)
    const library = await openQuickly(place)
    fillSegment(library.index, 'filler/one')
    library.index.fields.set('material', 'acme', [{ materialId: 'post/one' }], {
      tags: { add: ['second segment'], remove: [] },
    })
    fillSegment(library.index, 'filler/two')
    library.index.rules.pause(null, { reason: '', since: now().toISOString() })
    const { position } = library.index.commit.mark()
    library.close()
    return { place, position, segments: (await readdir(join(place, 'log'))).toSorted() }
  }

  function tagsIn(place: string): readonly unknown[] {
    const db = new BetterSqlite3(join(place, 'index.db'), { readonly: true })
    const tags = db.prepare('SELECT tag FROM material_tag').pluck().all()
    db.close()
    return tags
  }

  const lostIn = (report: RebuildReport) => report.lost.map(({ id, reason }) => `${id} ${reason}`)

  test('with one missing in the middle: the index has it; without the index, the gap is reported', async () => {
    const { place, position, segments } = await inSegments()
    expect(segments).toHaveLength(3)
    const [, second = '', third = ''] = segments
    const [from, to] = [Number(second.slice(0, 20)), Number(third.slice(0, 20)) - 1]
    await rename(join(place, 'log', second), join(place, 'second'))

    // With its index, only the log is incomplete; a check says which part.
    const galley = await open(place, made)
    expect(galley.library.state).toBe('whole')
    expect((await findingsOf(galley)).map(({ facts }) => facts)).toContainEqual({
      code: 'entries',
      state: 'missing',
      from,
      upTo: to,
    })
    await galley.close()

    expect(await rebuildLibrary(place, { from: 'log', now })).toMatchObject({ position, lost: [] })
    expect(tagsIn(place)).toContain('second segment')

    await rm(join(place, 'index.db'))
    await rm(join(place, 'checkpoints'), { recursive: true })
    const report = await rebuildLibrary(place, { from: 'log', now })
    expect(report.position).toBe(position)
    expect(lostIn(report)).toEqual([`${from}-${to} missing`])
    expect(tagsIn(place)).not.toContain('second segment')
    const after = await openQuickly(place)
    expect(factsIn(after.index)).toEqual(facts)
    after.close()

    await rename(join(place, 'second'), join(place, 'log', second))
    expect(lostIn(await rebuildLibrary(place, { from: 'log', now }))).toEqual([])
    await expectWhole(await open(place, made), made)
  })

  test('with the first one missing: the checkpoint replaces it as far as it goes', async () => {
    const { place, segments } = await inSegments()
    const galley = await open(place, made)
    await galley.library.writeCheckpoint(forever)
    await galley.close()
    await rename(join(place, 'log', segments[0] ?? ''), join(place, 'first'))
    expect(await rebuildLibrary(place, { from: 'log', now })).toMatchObject({ versions: 6, lost: [] })
    await expectWhole(await open(place, made), made)
  })

  test('with the first one missing and no checkpoint: the existing index restores everything', async () => {
    const { place, segments } = await inSegments()
    await rm(join(place, 'checkpoints'), { recursive: true })
    await rm(join(place, 'log', segments[0] ?? ''))
    expect(await rebuildLibrary(place, { from: 'index', now })).toMatchObject({ versions: 6, lost: [] })
    await expectWhole(await open(place, made), made)
  })

  test('with the last one missing: a mismatch, and the index restores everything', async () => {
    const { place, segments } = await inSegments()
    await rm(join(place, 'log', segments.at(-1) ?? ''))
    const library = await openQuickly(place)
    expect(library.state).toBe('log_mismatch')
    library.close()
    expect(await rebuildLibrary(place, { from: 'index', now })).toMatchObject({ versions: 6, lost: [] })
    await expectWhole(await open(place, made), made)
  })
})

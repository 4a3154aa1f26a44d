import { describe, expect, it } from 'vitest'

import type { Index } from '../../../packages/library/db/library-index.ts'
import type { NewBlob } from '../../../packages/library/records/changes.ts'
import { aSnapshot, openLibrary, sha } from './sample.ts'

let sets = 0

/** Blobs are stored by a save: here, by a font set with these files. */
function add(index: Index, blobs: readonly NewBlob[]): void {
  sets += 1
  const [css, kept] = [`css ${sets}`, `kept ${sets}`].map((text) => ({ sha256: sha(text), sizeBytes: 1, pack: null }))
  if (!css || !kept) return
  const files = blobs.map(({ sha256, sizeBytes }, at) => ({ name: `${at}.woff2`, sha256, sizeBytes }))
  const snapshot = aSnapshot(`set ${sets}`, { css: css.sha256, keptSha256: kept.sha256, files })
  index.commit.now(() => [{ kind: 'fonts_stored', snapshot, blobs: [css, kept, ...blobs], delivery: null }])
}

const ownFilesOf = (index: Index, sizesFrom: number) =>
  index.blobs.files().filter(({ sizeBytes }) => sizeBytes >= sizesFrom)

describe('blobs', () => {
  it('are in a separate file or in a range of a pack', async () => {
    const { index } = await openLibrary()
    add(index, [
      { sha256: sha('own'), sizeBytes: 5, pack: null },
      { sha256: sha('first'), sizeBytes: 3, pack: { sha256: sha('pack'), offset: 0 } },
      { sha256: sha('second'), sizeBytes: 4, pack: { sha256: sha('pack'), offset: 3 } },
    ])
    expect(index.blobs.find(sha('own'))).toEqual({ file: sha('own'), offset: 0, sizeBytes: 5 })
    expect(index.blobs.find(sha('second'))).toEqual({ file: sha('pack'), offset: 3, sizeBytes: 4 })
    expect(index.blobs.find(sha('pack'))).toBe(null)
    expect(ownFilesOf(index, 2).toSorted((a, b) => a.sizeBytes - b.sizeBytes)).toEqual([
      { file: sha('own'), sizeBytes: 5 },
      { file: sha('pack'), sizeBytes: 7 },
    ])
    expect([index.blobs.maxBytesOf(sha('own')), index.blobs.maxBytesOf(sha('pack'))]).toEqual([5, 1024 ** 3])
    expect(['own', 'pack', 'first', 'other'].map((text) => index.blobs.isReferenced(sha(text)))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('keep their location if they are stored again', async () => {
    const { index } = await openLibrary()
    add(index, [{ sha256: sha('x'), sizeBytes: 3, pack: { sha256: sha('pack'), offset: 9 } }])
    add(index, [{ sha256: sha('x'), sizeBytes: 3, pack: null }])
    expect(index.blobs.find(sha('x'))).toEqual({ file: sha('pack'), offset: 9, sizeBytes: 3 })
    expect(index.blobs.isReferenced(sha('x'))).toBe(false)
    // The file that brought it again may be deleted, until it brings something else.
    expect([index.blobs.dropped(), index.blobs.wasDropped(sha('x'))]).toEqual([[sha('x')], true])
    add(index, [
      { sha256: sha('x'), sizeBytes: 3, pack: { sha256: sha('other pack'), offset: 0 } },
      { sha256: sha('y'), sizeBytes: 3, pack: { sha256: sha('other pack'), offset: 3 } },
    ])
    expect(index.blobs.dropped()).toEqual([sha('x')])
  })

  it('keep it among hundreds that are stored again, too', async () => {
    const { index } = await openLibrary()
    const hundreds = (pack: string): readonly NewBlob[] =>
      Array.from({ length: 748 }, (_, at) => ({
        sha256: sha(`blob ${at}`),
        sizeBytes: 1,
        pack: { sha256: sha(pack), offset: at },
      }))
    add(index, hundreds('first'))
    add(index, [
      ...hundreds('second'),
      { sha256: sha('new'), sizeBytes: 1, pack: { sha256: sha('second'), offset: 748 } },
    ])
    const places = [0, 249, 250, 747].map((at) => index.blobs.find(sha(`blob ${at}`)))
    expect(places.map((place) => [place?.file, place?.offset])).toEqual(
      [0, 249, 250, 747].map((at) => [sha('first'), at]),
    )
    expect(index.blobs.find(sha('new'))).toEqual({ file: sha('second'), offset: 748, sizeBytes: 1 })
    expect(index.blobs.dropped()).toEqual([])
    // Nothing in this one is new, and with the two blobs of the set its rows are inserted 250 at a time.
    add(index, hundreds('third'))
    expect(index.blobs.dropped()).toEqual([sha('third')])
    add(index, [{ sha256: sha('newer'), sizeBytes: 1, pack: { sha256: sha('third'), offset: 748 } }])
    expect(index.blobs.dropped()).toEqual([])
  })

  it('move to the location of a repair, and the old file may be deleted', async () => {
    const { index } = await openLibrary()
    add(index, [
      { sha256: sha('first'), sizeBytes: 3, pack: { sha256: sha('pack'), offset: 0 } },
      { sha256: sha('second'), sizeBytes: 4, pack: { sha256: sha('pack'), offset: 3 } },
    ])
    index.blobs.move([{ sha256: sha('first'), sizeBytes: 3, pack: null }])
    expect(index.blobs.find(sha('first'))).toEqual({ file: sha('first'), offset: 0, sizeBytes: 3 })
    // The pack still contains the other one.
    expect([index.blobs.dropped(), index.blobs.wasDropped(sha('pack'))]).toEqual([[], false])
    index.blobs.move([{ sha256: sha('second'), sizeBytes: 4, pack: { sha256: sha('new pack'), offset: 1 } }])
    expect([index.blobs.dropped(), index.blobs.wasDropped(sha('pack'))]).toEqual([[sha('pack')], true])
    expect(index.blobs.isReferenced(sha('new pack'))).toBe(true)
    // A file that is referenced again may no longer be deleted.
    add(index, [{ sha256: sha('third'), sizeBytes: 5, pack: { sha256: sha('pack'), offset: 7 } }])
    expect(index.blobs.dropped()).toEqual([])
  })
})

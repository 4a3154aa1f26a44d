import { describe, expect, it } from 'vitest'

import { openLibrary, sha } from './sample.ts'

describe('blobs', () => {
  it('lie in a file of their own or in a slice of a pack', async () => {
    const { index } = await openLibrary()
    index.blobs.add([
      { sha256: sha('own'), sizeBytes: 5, pack: null },
      { sha256: sha('first'), sizeBytes: 3, pack: { sha256: sha('pack'), offset: 0 } },
      { sha256: sha('second'), sizeBytes: 4, pack: { sha256: sha('pack'), offset: 3 } },
    ])
    expect(index.blobs.find(sha('own'))).toEqual({ file: sha('own'), offset: 0, sizeBytes: 5 })
    expect(index.blobs.find(sha('second'))).toEqual({ file: sha('pack'), offset: 3, sizeBytes: 4 })
    expect(index.blobs.find(sha('pack'))).toBe(null)
    expect([...index.blobs.files()].toSorted((a, b) => a.sizeBytes - b.sizeBytes)).toEqual([
      { file: sha('own'), sizeBytes: 5 },
      { file: sha('pack'), sizeBytes: 7 },
    ])
    expect(['own', 'pack', 'first', 'other'].map((text) => index.blobs.namesFile(sha(text)))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('keep the place they have when they come again', async () => {
    const { index } = await openLibrary()
    index.blobs.add([{ sha256: sha('x'), sizeBytes: 3, pack: { sha256: sha('pack'), offset: 9 } }])
    index.blobs.add([{ sha256: sha('x'), sizeBytes: 3, pack: null }])
    expect(index.blobs.find(sha('x'))).toEqual({ file: sha('pack'), offset: 9, sizeBytes: 3 })
    expect(index.blobs.namesFile(sha('x'))).toBe(false)
  })
})

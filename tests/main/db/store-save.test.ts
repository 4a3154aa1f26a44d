import { describe, expect, it } from 'vitest'

import type { MaterialId } from '../../../src/contract/ids.ts'
import type { StoredSave } from '../../../src/main/db/library-index.ts'
import { foundBy } from '../../support/found-by.ts'
import { aSnapshot, aVersion, anArrival, anEnding, openLibrary, sha, storeVersion } from './sample.ts'

const blob = (text: string) => ({ sha256: sha(text), sizeBytes: 1, pack: null })
const tables = ['blob', 'version', 'media', 'snapshot', 'font_file', 'material', 'material_text', 'callback'] as const

async function library() {
  const opened = await openLibrary()
  storeVersion(opened.index, aVersion('stored', { text: 'kept words' }))
  const arrival = anArrival()
  opened.index.callbacks.begin(arrival)
  const rows = () => tables.map((table) => [table, opened.peek(`SELECT * FROM ${table}`)])
  return { ...opened, arrival, rows }
}

describe('a save that fails inside the transaction leaves nothing', () => {
  const good = aVersion('v2', {
    materialId: 'post-2' as MaterialId,
    text: 'new words',
    media: [{ name: 'm.png', sha256: sha('m'), sizeBytes: 1 }],
  })
  const blobs = [good.html, good.state, good.keptSha256, sha('m')].map((sha256) => ({
    sha256,
    sizeBytes: 1,
    pack: null,
  }))
  const ending = () => anEnding({ versionId: 'v2' })
  const bug = () => {
    throw new Error('a bug in the ending')
  }
  const broken: readonly (readonly [string, Omit<StoredSave, 'callbackId'>, string])[] = [
    ['a blob that was not stored', { blobs: blobs.slice(0, 2), content: { version: good }, ending }, 'FOREIGN KEY'],
    ['a medium that was not stored', { blobs: blobs.slice(0, 3), content: { version: good }, ending }, 'FOREIGN KEY'],
    [
      'a site that is not there',
      { blobs, content: { version: { ...good, site: 'x' as never } }, ending },
      'FOREIGN KEY',
    ],
    ['the same version again', { blobs, content: { version: aVersion('stored') }, ending }, 'UNIQUE'],
    [
      'the same name twice',
      { blobs, content: { version: { ...good, media: [...good.media, ...good.media] } }, ending },
      'UNIQUE',
    ],
    [
      'a size that is no whole number',
      { blobs: [...blobs, { ...blob('half'), sizeBytes: 0.5 }], content: { version: good }, ending },
      'cannot store REAL',
    ],
    ['an ending that throws', { blobs, content: { version: good }, ending: bug }, 'a bug in the ending'],
    ['a snapshot without its CSS', { blobs, content: { snapshot: aSnapshot('s') }, ending }, 'FOREIGN KEY'],
  ]
  for (const [name, save, message] of broken) {
    it(`with ${name}`, async () => {
      const { index, arrival, rows } = await library()
      const before = rows()
      expect(() => index.storeSave({ callbackId: arrival.id, ...save })).toThrow(message)
      expect(rows()).toEqual(before)
      expect(foundBy(index, 'new')).toEqual([])
      // And the same callback may be stored afterwards, with nothing in its way.
      index.storeSave({ callbackId: arrival.id, blobs, content: { version: good }, ending })
      expect(index.versions.list('acme', 'post-2')).toMatchObject([{ versionId: 'v2', current: true }])
      expect(index.callbacks.find(arrival.id)).toMatchObject({ outcome: 'stored', versionId: 'v2' })
    })
  }
})

it('a save is one fact for every other reader: version, media, search and ledger together', async () => {
  const { index, arrival, peek } = await library()
  const version = aVersion('v2')
  const seen: unknown[] = []
  index.storeSave({
    callbackId: arrival.id,
    blobs: [version.html, version.state, version.keptSha256].map((sha256) => ({ sha256, sizeBytes: 1, pack: null })),
    content: { version },
    ending() {
      seen.push(peek(`SELECT version_id FROM version WHERE version_id = 'v2'`))
      return anEnding({ versionId: 'v2' })
    },
  })
  expect(seen).toEqual([[]])
  expect(peek(`SELECT version_id FROM version WHERE version_id = 'v2'`)).toEqual([{ version_id: 'v2' }])
})

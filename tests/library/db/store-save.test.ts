import { describe, expect, it } from 'vitest'

import type { StoredSave } from '../../../packages/library/db/save/save-draft.ts'
import { logStart } from '../../../packages/library/log/mark.ts'
import { foundBy } from '../../support/found-by.ts'
import { aDelivery, anArrival, aSnapshot, aVersion, blobsOf, openLibrary, sha, storeVersion } from './sample.ts'

const blob = (text: string) => ({ sha256: sha(text), sizeBytes: 1, pack: null })
const tables = [
  'applied',
  'blob',
  'delivery',
  'dropped_file',
  'font_file',
  'material',
  'material_text',
  'media',
  'media_reference',
  'snapshot',
  'style_reference',
  'style_sheet',
  'unread_page',
  'version',
  'callback',
] as const

async function library() {
  const opened = await openLibrary()
  storeVersion(opened.index, aVersion('stored', { text: 'kept words' }))
  const arrival = anArrival({ materialId: 'post-2' })
  opened.index.callbacks.begin(arrival)
  const rows = () => tables.map((table) => [table, opened.peek(`SELECT * FROM ${table}`)])
  const entries = () => [...opened.library.log.read(logStart)].length
  return { ...opened, arrival, rows, entries }
}

const contentOf = ({ text, ...version }: ReturnType<typeof aVersion>) => ({ version, text })

describe('a save that fails inside the transaction stores nothing', () => {
  const good = aVersion('v2', {
    materialId: 'post-2',
    text: 'new words',
    media: [{ name: 'm.png', sha256: sha('m'), sizeBytes: 1 }],
  })
  const content = contentOf(good)
  const blobs = blobsOf(good)
  const hundreds = Array.from({ length: 600 }, (_, at) => ({ name: `${at}.png`, sha256: sha(`${at}`), sizeBytes: 1 }))
  const repeating = { ...good, media: [...hundreds, ...hundreds.slice(0, 1)] }
  const hundredsOfBlobs = blobsOf({ ...good, media: hundreds })
  const broken: readonly (readonly [string, Omit<StoredSave, 'delivery'>, string])[] = [
    ['a blob that was not stored', { blobs: blobs.slice(0, 2), content }, 'FOREIGN KEY'],
    ['a medium that was not stored', { blobs: blobs.slice(0, 3), content }, 'FOREIGN KEY'],
    ['a site that is not there', { blobs, content: contentOf({ ...good, site: 'x' }) }, 'FOREIGN KEY'],
    ['the same version again', { blobs, content: contentOf(aVersion('stored')) }, 'UNIQUE'],
    [
      'the same name twice',
      { blobs, content: contentOf({ ...good, media: [...good.media, ...good.media] }) },
      'UNIQUE',
    ],
    ['one name twice among hundreds', { blobs: hundredsOfBlobs, content: contentOf(repeating) }, 'UNIQUE'],
    [
      'a size that is no whole number',
      { blobs: [...blobs, { ...blob('half'), sizeBytes: 0.5 }], content },
      'blobs.4.sizeBytes is too long, or not a value that the library stores',
    ],
    ['a snapshot without its CSS', { blobs, content: { snapshot: aSnapshot('s') } }, 'FOREIGN KEY'],
  ]
  for (const [name, save, message] of broken) {
    it(`with ${name}`, async () => {
      const { index, arrival, rows, entries } = await library()
      const before = rows()
      const logged = entries()
      const delivery = () => aDelivery(arrival)
      await expect(index.storeSave({ ...save, delivery })).rejects.toThrow(message)
      expect(rows()).toEqual(before)
      expect(entries()).toBe(logged)
      expect(foundBy(index, 'new')).toEqual([])
      // The same callback can be stored afterwards.
      await index.storeSave({ blobs, content, delivery })
      expect(index.versions.list('acme', 'post-2')).toMatchObject([{ versionId: 'v2', current: true }])
      expect(index.callbacks.find(arrival.id)).toMatchObject({ outcome: 'stored', versionId: 'v2' })
      expect(entries()).toBe(logged + 1)
    })
  }

  it('with a delivery that could not be read from the log', async () => {
    const { index, arrival, rows, entries } = await library()
    const before = rows()
    const logged = entries()
    const delivery = () => ({ ...aDelivery(arrival), bodyBytes: 0.5 })
    await expect(index.storeSave({ blobs, content, delivery })).rejects.toThrow('bodyBytes is too long, or not a value')
    expect([rows(), entries()]).toEqual([before, logged])
  })

  it('with an invalid delivery', async () => {
    const { index, rows, entries } = await library()
    const before = rows()
    const logged = entries()
    const delivery = () => {
      throw new Error('a bug in the telling')
    }
    await expect(index.storeSave({ blobs, content, delivery })).rejects.toThrow('a bug in the telling')
    expect([rows(), entries()]).toEqual([before, logged])
  })
})

it('a save becomes visible at once to every other reader: version, media, search and ledger together', async () => {
  const { index, arrival, peek } = await library()
  const version = aVersion('v2')
  const seen: unknown[] = []
  await index.storeSave({
    blobs: blobsOf(version),
    content: contentOf(version),
    delivery() {
      seen.push(peek(`SELECT version_id FROM version WHERE version_id = 'v2'`))
      return aDelivery(arrival)
    },
  })
  expect(seen).toEqual([[]])
  expect(peek(`SELECT version_id FROM version WHERE version_id = 'v2'`)).toEqual([{ version_id: 'v2' }])
  expect(peek(`SELECT version_id FROM delivery WHERE callback = '${arrival.id}'`)).toEqual([{ version_id: 'v2' }])
})

it('a save of hundreds of files is indexed with each of them, and what the log holds makes the same rows', async () => {
  const { index, library: opened, peek } = await library()
  const media = Array.from({ length: 1_003 }, (_, at) => ({
    name: at % 100 === 0 ? `${at}.css` : `${at}.png`,
    sha256: sha(`${at}`),
    sizeBytes: at,
  }))
  const references = media.map(({ sha256, name }) => ({ hashStart: sha256.slice(0, 32), name: `earlier-${name}` }))
  const version = aVersion('v2', { media, references })
  const arrival = anArrival({ materialId: 'post-1' })
  await index.storeSave({ blobs: blobsOf(version), content: contentOf(version), delivery: () => aDelivery(arrival) })
  const byName = (files: readonly { readonly name: string }[]) => files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(byName(index.versions.media('acme', 'post-1', 'v2'))).toMatchObject(byName(media))
  const count = (table: string) => peek(`SELECT count(*) AS rows FROM ${table}`)
  expect(['media', 'media_file', 'media_reference', 'style_sheet'].map(count)).toEqual(
    [1_003, 1_003, 1_003, 11].map((rows) => [{ rows }]),
  )
  const last = [...opened.log.read(logStart)].at(-1)
  expect(last).toMatchObject({
    entry: {
      changes: [{ kind: 'version_stored', version: { media }, blobs: blobsOf(version), delivery: { id: arrival.id } }],
    },
  })
})

it('a save without a callback of this library is in no ledger', async () => {
  const { index, peek } = await library()
  const before = peek('SELECT * FROM delivery')
  const version = aVersion('v2')
  await index.storeSave({ blobs: blobsOf(version), content: contentOf(version), delivery: () => null })
  expect(index.versions.find('acme', 'post-1', 'v2')).toMatchObject({ versionId: 'v2' })
  expect(peek('SELECT * FROM delivery')).toEqual(before)
})

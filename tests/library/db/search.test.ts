import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { forgetPages, putPages } from '../../../packages/library/db/search/page-words.ts'
import type { SearchQuery } from '../../../packages/library/views/search.ts'
import { searchKinds } from '../../../packages/library/views/search.ts'
import { acme, aVersion, openLibrary, sha, storeVersion } from './sample.ts'

const at = '2026-11-02T08:00:00.000Z'

/** A page with two versions, the older of which is in the search only by its blocks. */
async function twoVersions() {
  const opened = await openLibrary()
  const { index } = opened
  storeVersion(index, aVersion('v1', { title: 'Night trains', userEmail: 'vera@desk.example', text: 'gone' }))
  storeVersion(
    index,
    aVersion('v2', { title: 'Night trains', text: 'The train leaves at nine.', userEmail: 'vera@desk.example' }),
  )
  const put = (versionId: string, ...blocks: string[]) =>
    putPages(index.search.file, [{ sha256: sha(`html ${versionId}`), blocks }])
  put('v1', 'Night trains', 'Nobody knows the timetable of winter.', 'The train leaves at ten.')
  put('v2', 'Night trains', 'The train leaves at nine.')
  function found(text: string, parts: Partial<SearchQuery> = {}) {
    const query: SearchQuery = { site: null, text, kinds: searchKinds, versions: 'newest', limit: 10, ...parts }
    const { found: all } = index.search.ask(query)
    return all.map(({ kind, materialId, versionId }) => [kind, materialId, versionId])
  }
  return { ...opened, put, found }
}

test('current pages come first, and earlier versions are found by what they alone said', async () => {
  const { found } = await twoVersions()
  expect(found('timetable')).toEqual([['page', 'post-1', 'v1']])
  expect(found('train leaves', { kinds: ['page'] })).toEqual([['page', 'post-1', 'v2']])
  expect(found('train leaves', { kinds: ['page'], versions: 'all' })).toEqual([
    ['page', 'post-1', 'v2'],
    ['page', 'post-1', 'v1'],
  ])
  expect(found('timetable', { versions: 'current' })).toEqual([])
  expect(found('timetable', { site: 'other' })).toEqual([])
  for (const text of ['timetables', '"', '* OR', '']) expect(found(text), text).toEqual([])
})

test('kinds are told apart: titles, comments with their quote, reasons, people', async () => {
  const { index, found } = await twoVersions()
  const place = { site: acme.id, materialId: 'post-1', versionId: 'v1' }
  const anchor = { kind: 'text' as const, exact: 'leaves at ten', prefix: '', suffix: '', start: 0 }
  const id = '00000000-0000-4000-8000-000000000001'
  index.comments.add({ ...place, id, by: 'Ida', at, anchor, text: 'Since which Überholung?' })
  index.comments.answer({ id: '00000000-0000-4000-8000-000000000002', thread: id, by: 'Ben', at, text: 'Since May.' })
  index.fields.set('version', acme.id, [{ materialId: 'post-1', versionId: 'v2' }], {
    verdict: { decision: 'changes_requested', by: 'Ida', at, reason: 'The map is missing', baseline: null },
  })
  const kindsOf = (text: string): readonly unknown[] => found(text).map(([kind]) => kind)
  expect(kindsOf('night')).toEqual(['title'])
  expect(kindsOf('uberholung')).toEqual(['comment'])
  expect(kindsOf('may')).toEqual(['comment'])
  expect(kindsOf('leaves ten')).toEqual(['page', 'comment'])
  expect(kindsOf('map missing')).toEqual(['reason'])
  expect(kindsOf('vera')).toEqual(['person'])
  // Who said it, too.
  expect(kindsOf('ida')).toEqual(['comment', 'reason'])
  expect(kindsOf('ben')).toEqual(['comment'])
  // A decision needs no reason to be found by who decided; one that was taken back is found too.
  for (const decision of ['approved', 'cleared'] as const)
    index.fields.set('version', acme.id, [{ materialId: 'post-1', versionId: 'v1' }], {
      verdict: { decision, by: 'Cem', at, reason: '', baseline: null },
    })
  expect(kindsOf('cem')).toEqual(['reason', 'reason'])
  expect(kindsOf('approved')).toEqual([])
  const query: SearchQuery = { site: null, text: 'ida', kinds: searchKinds, versions: 'newest', limit: 10 }
  expect(index.search.ask(query).found.map(({ excerpt }) => excerpt[0]?.text)).toEqual([
    'Since which Überholung?\nleaves at ten',
    'The map is missing',
  ])
})

test('a half remembered title is found: with other endings, a slip, or one word that is not there', async () => {
  const { index, found } = await twoVersions()
  const called = (materialId: string, title: string) => storeVersion(index, aVersion(materialId, { materialId, title }))
  called('parom', 'Последний паром ушёл из старой гавани')
  called('lights', 'The lighthouse road, on foot')
  called('nets', 'The last net makers of Pier 4')
  const titles = (text: string) => found(text, { kinds: ['title'] }).map(([, materialId]) => materialId)
  for (const text of ['последние паромы', 'старая гавань', 'паром']) expect(titles(text), text).toEqual(['parom'])
  for (const text of ['lighthose', 'lighthouses road', 'lighthouse road by foot'])
    expect(titles(text), text).toEqual(['lights'])
  expect(titles('net makers of the quay')).toEqual(['nets'])
  // Two words that are not there are another title, and what is found as typed has no other beside it.
  expect(titles('net menders of the quay')).toEqual([])
  called('road', 'Roads')
  expect(titles('road')).toHaveLength(2)
  expect(titles('roads')).toEqual(['road'])
})

test('the search works while pages are read, and says how many are not', async () => {
  const { index, put } = await twoVersions()
  storeVersion(index, aVersion('v3', { materialId: 'post-2' }))
  const unread = () => index.search.ask({ site: null, text: 'x', kinds: [], versions: 'all', limit: 1 }).unread
  expect(unread()).toBe(1)
  expect(index.search.unreadAfter(0, 10)?.pages.map(({ html }) => html)).toEqual([sha('html v3')])
  put('v3', 'Read')
  expect(unread()).toBe(0)
})

test('a text that pages share is stored once, and leaves the file with its last page', async () => {
  const { index, put, file, found, folder, other } = await twoVersions()
  storeVersion(index, aVersion('v3', { materialId: 'post-2' }))
  put('v3', 'Night trains', 'A sentence of the third page, Geheimnis.')
  other.exec(`DELETE FROM material_text; PRAGMA foreign_keys = OFF`)
  other.exec(`DELETE FROM version WHERE version_id = 'v3'`)
  expect(forgetPages(index.search.file, file)).toBe(1)
  const bytes = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('search.db'))
      .map((name) => readFileSync(join(folder, name)).toString('latin1').toLowerCase())
      .join('')
  expect(bytes()).not.toContain('geheimnis')
  expect(bytes()).toContain('timetable')
  expect(found('timetable')).toHaveLength(1)
})

test('a damaged file of texts is made anew', async () => {
  const { index, put, found } = await twoVersions()
  writeFileSync(index.search.file, Buffer.alloc(8192, 7))
  expect(found('timetable')).toEqual([])
  expect(found('night')).toHaveLength(1)
  put('v1', 'Nobody knows the timetable of winter.')
  expect(found('timetable')).toHaveLength(1)
})

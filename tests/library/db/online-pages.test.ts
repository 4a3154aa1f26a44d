import { expect, it } from 'vitest'

import type { Release } from '../../../packages/library/records/release.ts'
import { acme, aVersion, openLibrary, sha, storeVersion } from './sample.ts'

const counts = { files: 1, added: 1, changed: 0, removed: 0, unchanged: 0, bytes: 1 }
const settings = {
  place: { kind: 'folder', directory: '/srv/www' },
  publicUrl: null,
  compress: false,
  schedule: null,
} as const

it('knows what is online from the last release of each target', async () => {
  const { index } = await openLibrary()
  for (const name of ['live', 'staging']) index.targets.put({ site: acme.id, name, ...settings })
  const ids = ['v1', 'v2', 'v3']
  for (const id of ids) storeVersion(index, aVersion(id))
  storeVersion(index, aVersion('other', { materialId: 'other' }))
  let day = 0
  const release = (target: string, pages: Release['pages']): void => {
    day += 1
    const at = `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`
    const release = { id: `r${day}`, site: acme.id, target, at, record: sha(String(day)), counts, pages }
    index.releases.add({ ...release, rollbackOf: null, by: 'person', links: null })
  }
  const post = (versionId: string) => [{ materialId: 'post-1', versionId }]
  const online = () =>
    index.onlinePages
      .of(acme.id, 'post-1')
      .map(({ target, versionId, number, since }) => [target, versionId, number, since.slice(8, 10)])
  expect(online()).toEqual([])
  release('live', post('v1'))
  release('live', [...post('v1'), { materialId: 'other', versionId: 'other' }])
  expect(online()).toEqual([['live', 'v1', 1, '01']])
  release('staging', post('v3'))
  release('live', post('v2'))
  expect(online()).toEqual([
    ['live', 'v2', 2, '04'],
    ['staging', 'v3', 3, '03'],
  ])
  expect(index.onlinePages.of(acme.id, 'other')).toEqual([])
  // More releases than can be rolled back to do not move the moment; a roll back does.
  for (let more = 0; more < 12; more += 1) release('live', post('v2'))
  expect(online()[0]).toEqual(['live', 'v2', 2, '04'])
  release('live', post('v1'))
  expect(online()[0]).toEqual(['live', 'v1', 1, '17'])
  release('live', [])
  expect(online()).toEqual([['staging', 'v3', 3, '03']])
  index.targets.remove(acme.id, 'staging')
  expect(online()).toEqual([])
})

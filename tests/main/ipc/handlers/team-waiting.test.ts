import { expect, test } from 'vitest'

import { noFilters } from '../../../../src/ipc/materials.ts'
import { materialsIn, versionIn } from '../../../support/records.ts'
import { setUp, shared } from './team-fixture.ts'

const post = { site: 'acme', materialId: 'post-1' }
const version = { ...post, versionId: 'v1' }
const inPost = materialsIn('acme', 'post-1')
const inVersion = versionIn('acme', 'post-1', 'v1')

/** A member, and a bucket that is away while `isAway` says so. */
async function aMember() {
  const outage = { isAway: false }
  const at = await setUp({ mishap: () => (outage.isAway ? 'cut_before' : null) })
  const { calls, galley } = await shared(at)
  const query = { site: 'acme', text: '', filters: noFilters, offset: 0, limit: 10 }
  const sort = { by: 'saved', direction: 'down' } as const
  return {
    outage,
    calls,
    galley,
    material: async () => (await calls.queryMaterials({ ...query, sort })).rows[0],
    timeline: async () => (await calls.queryVersions({ ...post, offset: 0, limit: 10 })).rows[0],
  }
}

test('lists show the values that wait for the bucket, and say so', async () => {
  const { outage, calls, galley, material, timeline } = await aMember()
  await calls.setFields({ ...inPost, set: { tags: { add: ['old'], remove: [] } } })
  expect(await material()).not.toHaveProperty('waiting')
  outage.isAway = true
  const renamed = await calls.setFields({ ...inPost, set: { title: 'Mine', slug: 'mine' } })
  expect(renamed.ok).toBe(true)
  expect(await calls.findMaterial(post)).toMatchObject({ title: 'Mine', slug: 'mine', waiting: ['slug', 'title'] })
  await calls.setFields({ ...inPost, set: { tags: { add: ['urgent'], remove: ['old'] } } })
  const verdict = { decision: 'changes_requested', reason: 'The fares are old' } as const
  const marking = await calls.setFields({ ...inVersion, set: { note: 'Ask Ida', tags: ['a'], pinned: true, verdict } })
  const waiting = ['note', 'pinned', 'tags', 'verdict']
  const shown = { note: 'Ask Ida', tags: ['a'], pinned: true, verdict, waiting }
  expect(marking.ok).toBe(true)
  expect(await timeline()).toMatchObject(shown)
  expect(await calls.inspectVersion(version)).toMatchObject({ value: { version: shown } })
  const row = { title: 'Mine', tags: ['urgent'], status: 'changes_requested' }
  expect(await material()).toMatchObject({ ...row, waiting: ['slug', 'tags', 'title', 'status'] })
  expect(await calls.findMaterial(post)).toMatchObject(row)
  await calls.setFields({ ...inPost, set: { archivedAt: '2026-11-03T00:00:00.000Z' } })
  expect((await material())?.archivedAt).toEqual(expect.stringMatching(/^2/))
  await calls.setFields({ ...inPost, set: { archivedAt: null } })
  // The index still follows from the log alone.
  expect(galley.index.materials.find('acme', 'post-1')?.title).not.toBe('Mine')

  outage.isAway = false
  await calls.syncTeam(undefined)
  expect(await material()).toMatchObject(row)
  expect(await material()).not.toHaveProperty('waiting')
  expect(await timeline()).not.toHaveProperty('waiting')
})

test('a verdict goes back to the one in the log, although another one waits', async () => {
  const { outage, calls, timeline } = await aMember()
  const judge = (kind: 'approved' | 'changes_requested') =>
    calls.setFields({ ...inVersion, set: { verdict: { decision: kind, reason: '' } } })
  await judge('approved')
  outage.isAway = true
  await judge('changes_requested')
  expect(await timeline()).toMatchObject({ verdict: { decision: 'changes_requested' } })
  await judge('approved')
  expect(await timeline()).toMatchObject({ verdict: { decision: 'approved' } })
  outage.isAway = false
  await calls.syncTeam(undefined)
  expect(await timeline()).toMatchObject({ verdict: { decision: 'approved' } })
})

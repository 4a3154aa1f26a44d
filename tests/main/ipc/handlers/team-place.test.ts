import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { entryKey } from '../../../../packages/library/team/keys.ts'
import type { TeamView } from '../../../../packages/library/views/team.ts'
import { materialsIn } from '../../../support/records.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { ended, setUp, keys, shared, tokenOf } from './team-fixture.ts'

test('a bucket is tested before a library joins it or is shared in it, and a person agrees to it once', async () => {
  const at = await setUp()
  const { first, form, storage, open } = at
  const sharing = { ...form, what: 'import' } as const
  expect(await first.calls.testTeamPlace(sharing)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(storage.objects.size).toBe(0)
  first.agreed.push(true)
  expect(await first.calls.testTeamPlace(sharing)).toEqual({ ok: true, value: { requests: 22 } })
  expect(storage.objects.size).toBe(0)
  // Agreeing to share is not agreeing to join.
  expect(await first.calls.testTeamPlace({ ...form, what: 'join' })).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  first.agreed.push(true)
  expect(await first.calls.testTeamPlace({ ...form, what: 'join' })).toMatchObject({
    failure: { code: 'team_refused', state: 'no_team_library' },
  })
  await shared(at)

  const other = await open(join(await temporaryFolder(), 'other'))
  other.agreed.push(true)
  const joining = { ...form, what: 'join' } as const
  expect(await other.calls.testTeamPlace(joining)).toEqual({ ok: true, value: { requests: 22 } })
  expect(await other.calls.testTeamPlace({ ...joining, keys: { id: '', secret: '' } })).toMatchObject({
    failure: { field: 'keyId' },
  })
  const folder = join(await temporaryFolder(), 'member')
  await mkdir(folder)
  const options = { ...form, folder: await tokenOf(other, folder) }
  expect(await ended(other.galley, await other.calls.startTeamJoin(options))).toMatchObject({ kind: 'done' })
  expect(other.asked).toHaveLength(1)
  const elsewhere = { ...options, place: { ...form.place, prefix: 'another' } }
  expect(await other.calls.startTeamJoin(elsewhere)).toMatchObject({ failure: { code: 'not_confirmed' } })
  other.agreed.push(true)
  expect(await other.calls.testTeamPlace({ ...form, what: 'import' })).toMatchObject({
    failure: { code: 'team_refused', state: 'bucket_in_use' },
  })
})

test('a test of keys that only read says so, and sharing with them is refused', async () => {
  const rights = { write: true }
  const at = await setUp({ mishap: (method) => (method === 'PUT' && !rights.write ? 'status_403' : null) })
  await shared(at)
  rights.write = false
  const other = await at.open(join(await temporaryFolder(), 'other'))
  other.agreed.push(true, true)
  expect(await other.calls.testTeamPlace({ place: at.place, keys, what: 'join' })).toEqual({
    ok: true,
    value: { requests: 0 },
  })
  expect(await other.calls.testTeamPlace({ place: at.place, keys, what: 'import' })).toMatchObject({ ok: false })
})

test('a library that has joined is used before it has read the whole log', async () => {
  const held = { from: '', until: Promise.withResolvers<void>() }
  const isHeld = (method: string, key: string): boolean =>
    held.from !== '' && method === 'GET' && key.includes('/log/') && key > held.from
  const at = await setUp({ hold: (method, key) => (isHeld(method, key) ? held.until.promise : Promise.resolve()) })
  const second = await shared(at)
  const { position } = second.galley.index.commit.mark()
  for (const title of ['One', 'Two', 'Three'])
    expect(
      await second.calls.setFields({ ...materialsIn('acme', 'post-1'), set: { title, slug: 'one' } }),
    ).toMatchObject({ ok: true })
  const site = second.galley.index.sites.find('acme')
  if (site === null) throw new Error('There is no site')
  await second.galley.index.commit.write(() => second.galley.index.sites.put({ ...site, apiKey: 'another' }))
  held.from = `library/${entryKey(position + 1)}`

  const other = await at.open(join(await temporaryFolder(), 'other'))
  other.agreed.push(true)
  const folder = await temporaryFolder()
  const options = { ...at.form, folder: await tokenOf(other, folder) }
  expect(await ended(other.galley, await other.calls.startTeamJoin(options))).toMatchObject({ kind: 'done' })
  const { galley, calls } = await at.open(folder)
  expect(galley.index.materialList.find('acme', 'post-1')).toMatchObject({ title: 'post-1' })
  const seen: (TeamView | null)[] = []
  let changes = 0
  onTestFinished(galley.teamState.watch((view) => seen.push(view)))
  onTestFinished(galley.changes.watch(() => void (changes += 1)))
  const looking = calls.syncTeam(undefined)
  await expect.poll(() => seen.at(-1)?.syncState).toMatchObject({ kind: 'behind', entries: 3 })
  // What has come is listed.
  expect(galley.index.materialList.find('acme', 'post-1')).toMatchObject({ title: 'One' })
  await expect.poll(() => changes).toBeGreaterThan(0)
  expect(await galley.sites.find('acme')).toMatchObject({ isConfirmed: true })
  held.until.resolve()
  expect(await looking).toMatchObject({ syncState: { kind: 'current' } })
  // Whoever joins agrees to the sites as they are at the end of the log.
  expect(await galley.sites.find('acme')).toMatchObject({ apiKey: 'another', isConfirmed: true })
  await second.galley.index.commit.write(() => second.galley.index.sites.put(site))
  await calls.syncTeam(undefined)
  expect(await galley.sites.find('acme')).toMatchObject({ isConfirmed: false })
})

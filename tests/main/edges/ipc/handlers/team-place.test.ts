import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { temporaryFolder } from '../../../../support/test-galley.ts'
import { ended, house, keys, shared, tokenOf } from './team-house.ts'

test('a bucket is tested before a library joins it or is shared in it, and a person agrees to it once', async () => {
  const at = await house()
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
    failure: { code: 'team_refused', facts: { state: 'no_team_library' } },
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
    failure: { code: 'team_refused', facts: { state: 'bucket_in_use' } },
  })
})

test('a test of keys that only read says so, and sharing with them is refused', async () => {
  const rights = { write: true }
  const at = await house({ mishap: (method) => (method === 'PUT' && !rights.write ? 'status_403' : null) })
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

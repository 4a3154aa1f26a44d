import { expect, it } from 'vitest'

import { aTeam } from '../support/team.ts'

// The right of keys to write, which somebody gives and takes in the storage.

const reader = { id: 'reader', secret: 'anything' }

async function aTeamWithRights() {
  const rights = { writers: new Set(['anyone']) }
  const team = await aTeam({
    mishap: (method, _key, keyId) => (method === 'GET' || rights.writers.has(keyId) ? null : 'status_403'),
  })
  expect((await team.import()).code).toBe(0)
  return { ...team, rights }
}

it('writes as soon as keys that could only read may write, and reads on when they no longer may', async () => {
  const team = await aTeamWithRights()
  const folder = await team.newFolder()
  const run = (...args: string[]) => team.runAs(reader, folder, ...args)
  expect((await run('team', 'join', ...team.at)).json()).toMatchObject({ read_only: true })
  const status = async () => (await run('team', 'status')).json()
  expect(await status()).toMatchObject({
    read_only: true,
    probe: { rounds: 0, winners: 0 },
    offline: null,
    refuses: expect.stringContaining('the bucket denies access') as string,
  })
  expect((await run('gc')).failure().code).toBe('team_read_only')

  team.rights.writers.add('reader')
  expect((await run('gc')).code).toBe(0)
  expect(await status()).toMatchObject({ read_only: false, probe: { rounds: 2, winners: 2 }, refuses: null })
  expect((await run('site', 'add', 'acme', '--name', 'Other')).code).toBe(0)

  team.rights.writers.delete('reader')
  expect(await status()).toMatchObject({ read_only: true, probe: { rounds: 0, winners: 0 }, offline: null })
  expect((await run('site', 'list')).code).toBe(0)
  // Somebody gives this member other keys.
  expect((await team.run(folder, 'team', 'keys')).json()).toMatchObject({ read_only: false, refuses: null })
  expect((await run('team', 'keys')).json()).toMatchObject({ read_only: true })
  const alone = await team.newFolder()
  expect((await team.run(alone, 'team', 'keys')).failure().code).toBe('not_a_member')
})

it('says in a line when a bucket begins to refuse writes, why, and when it takes them again', async () => {
  const team = await aTeamWithRights()
  const member = await team.listen()
  await member.galley.team?.checkBucket()
  team.rights.writers.clear()
  const refused = await member.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))
  expect(refused).toMatchObject({ status: 500, json: { code: 'storage_failed' } })
  expect(member.galley.teamState.view()).toMatchObject({
    isReadOnly: false,
    syncState: { kind: 'refusing', why: { code: 'bucket_denied' } },
  })
  expect(await member.galley.team?.readiness()).toMatchObject({ state: 'team_read_only' })
  team.rights.writers.add('anyone')
  await expect.poll(() => member.galley.team?.readiness()).toEqual({ state: 'ready' })
  expect(member.galley.teamState.view()).toMatchObject({ isReadOnly: false, syncState: { kind: 'current' } })
  expect(member.lines).toEqual([
    expect.stringMatching(/^the bucket of the team refuses writes: the bucket denies access with these keys/),
    expect.stringMatching(/^save .* could not be stored: the bucket denies access with these keys/),
    'the bucket of the team accepts writes now',
  ])
})

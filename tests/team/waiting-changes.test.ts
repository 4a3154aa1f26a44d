import { expect, it } from 'vitest'

import { aTeamWithOutage } from '../support/team.ts'

interface Status {
  readonly waiting: number
  readonly conflicts: readonly { readonly id: number }[]
}

it('keeps changes while the bucket cannot be reached, writes them later, and lets a person decide conflicts', async () => {
  const team = await aTeamWithOutage()
  const before = await team.listen()
  const html = '<p>Noon</p><p>Midnight</p><img src="dummy-hero.png">'
  expect((await before.deliver(team.save({ materialId: 'post-1', versionId: 'v1', html }))).json.rc).toBe(1)
  expect((await before.deliver(team.save({ materialId: 'post-2', versionId: 'v1' }))).json.rc).toBe(1)
  await before.close()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const status = async (): Promise<Status> => (await team.run(team.library, 'team', 'status')).json() as Status

  team.outage.isAway = true
  const archived = await team.run(team.library, 'material', 'archive', 'acme', 'post-1')
  expect(archived.code, archived.stderr).toBe(0)
  expect(archived.stderr).toContain('a change waits on this computer')
  expect((await team.run(team.library, 'material', 'archive', 'acme', 'post-2')).code).toBe(0)
  expect(await status()).toMatchObject({ waiting: 2, conflicts: [] })
  // What waits is not lost when more is added to it.
  const set = async (...args: string[]) => (await team.run(team.library, ...args)).json()
  await set('ignore', 'acme', 'post-1', '--quote', 'Noon')
  const parts = ['Noon', 'Midnight'].map((text) => ({ text, version_id: 'v1', blocks: 1 }))
  expect(await set('ignore', 'acme', 'post-1', '--quote', 'Midnight')).toEqual(parts)
  await set('mark', 'acme', 'post-1', 'v1', '--tag', 'one')
  expect(await set('mark', 'acme', 'post-1', 'v1', '--tag', 'two')).toMatchObject({ tags: ['one', 'two'] })
  expect(await status()).toMatchObject({ waiting: 4, conflicts: [] })
  expect((await team.run(team.library, 'team', 'leave')).failure()).toMatchObject({
    code: 'changes_waiting',
    message: expect.stringContaining('are not in the bucket yet (4)') as string,
  })

  team.outage.isAway = false
  // The other member has deleted one of them in the meantime.
  expect((await team.run(folder, 'material', 'delete', 'acme', 'post-2')).code).toBe(0)
  // Each command sends waiting changes first.
  const after = await status()
  expect(after).toMatchObject({
    waiting: 0,
    conflicts: [{ material_id: 'post-2', version_id: null, field: 'archived', mine: true, theirs: null, gone: true }],
  })
  expect((await team.run(folder, 'materials', 'acme')).json()).toEqual([])
  expect((await team.run(folder, 'ignore', 'acme', 'post-1')).json()).toEqual(parts)
  const id = String(after.conflicts[0]?.id)
  expect((await team.run(team.library, 'team', 'decide', id, 'mine')).failure().code).toBe('change_gone')
  expect((await team.run(team.library, 'team', 'decide', '99', 'mine')).failure().code).toBe('unknown_change')
  expect((await team.run(team.library, 'team', 'decide', id, 'both')).code).toBe(2)
  expect((await team.run(team.library, 'team', 'decide', id, 'theirs')).json()).toMatchObject({ conflicts: [] })
  expect((await team.run(team.library, 'team', 'leave', '--fetch-all')).code).toBe(0)
})

import { expect, it } from 'vitest'

import { aTeamWithOutage } from '../support/team.ts'

interface Status {
  readonly waiting: number
  readonly conflicts: readonly { readonly id: number }[]
}

it('keeps changes while the bucket cannot be reached, writes them later, and lets a person decide conflicts', async () => {
  const team = await aTeamWithOutage()
  const before = await team.listen()
  expect((await before.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
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
  expect((await team.run(team.library, 'team', 'leave')).failure()).toMatchObject({
    code: 'changes_waiting',
    message: expect.stringContaining('are not in the bucket yet (2)') as string,
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
  const id = String(after.conflicts[0]?.id)
  expect((await team.run(team.library, 'team', 'decide', id, 'mine')).failure().code).toBe('change_gone')
  expect((await team.run(team.library, 'team', 'decide', '99', 'mine')).failure().code).toBe('unknown_change')
  expect((await team.run(team.library, 'team', 'decide', id, 'both')).code).toBe(2)
  expect((await team.run(team.library, 'team', 'decide', id, 'theirs')).json()).toMatchObject({ conflicts: [] })
  expect((await team.run(team.library, 'team', 'leave', '--fetch-all')).code).toBe(0)
})

import { expect, it } from 'vitest'

import { readMembership } from '../../../../src/main/library/team-bucket/membership.ts'
import { stream } from '../../../cli/support/cli.ts'
import { aTeam } from '../../../support/team.ts'

it('a join that is killed at any request leaves nothing, or a member that goes on', async () => {
  const stop: { part: string; reached: () => void } = { part: '', reached: () => undefined }
  const forever = new Promise<void>(() => undefined)
  const team = await aTeam({
    hold(method, key) {
      if (stop.part === '' || method !== 'GET' || !key.includes(stop.part)) return Promise.resolve()
      stop.reached()
      return forever
    },
  })
  expect((await team.import()).code).toBe(0)
  for (const name of ['One', 'Two', 'Three'])
    expect((await team.run(team.library, 'site', 'add', 'acme', '--name', name)).code).toBe(0)

  const ends: string[] = []
  for (const part of ['probe/', 'library.json', 'checkpoints/', 'log/']) {
    const folder = await team.newFolder()
    const reached = Promise.withResolvers<void>()
    Object.assign(stop, { part, reached: reached.resolve })
    const joining = stream(['team', 'join', ...team.at, '--json', '--library', folder], team.environment)
    await reached.promise
    joining.child.kill('SIGKILL')
    await joining.ended
    stop.part = ''
    const membership = readMembership(folder)
    ends.push(membership?.state ?? 'none')
    // Whoever runs it again need not know how far it had come.
    if (part !== 'log/') expect((await team.join(folder)).json()).toMatchObject({ behind: 0 })
    expect((await team.run(folder, 'team', 'status')).json()).toMatchObject({ behind: 0, offline: null })
    expect(readMembership(folder)).not.toHaveProperty('isCatchingUp')
    expect((await team.join(folder)).failure().code).toBe('already_member')
  }
  expect(ends).toEqual(['none', 'none', 'joining', 'member'])
}, 60_000)

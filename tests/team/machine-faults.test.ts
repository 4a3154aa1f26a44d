import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { canMount, mountSmallDisk } from '../library/log/small-disk.ts'
import { openGalley } from '../support/open-galley.ts'
import type { Mishap } from '../support/s3-server.ts'
import { aTeam } from '../support/team.ts'

const hourMs = 3_600_000

it('keeps the order of versions when the clock of a machine is an hour ahead', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const ahead = await team.listen(team.library, () => new Date(Date.now() + hourMs))
  const other = await team.listen(folder)
  for (const [nth, member] of [ahead, other, ahead, other].entries()) {
    const answer = await member.deliver(team.save({ materialId: 'post-1', versionId: `v${nth}` }))
    expect(answer.json.rc, answer.text).toBe(1)
  }
  await ahead.galley.team?.sync()
  const orders = [ahead, other].map(({ galley }) =>
    galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId),
  )
  // Sorted by their own dates, then by their order in the log; never by the clock of the machine that stored them.
  expect(orders).toEqual([
    ['v3', 'v2', 'v1', 'v0'],
    ['v3', 'v2', 'v1', 'v0'],
  ])
})

it('reports a wrong clock if the storage refuses because of it', async () => {
  const clock: { mishap: Mishap } = { mishap: null }
  const team = await aTeam({ mishap: () => clock.mishap })
  expect((await team.import()).code).toBe(0)
  const member = await team.listen()
  clock.mishap = 'clock'
  const status = await team.run(team.library, 'team', 'status')
  expect(status.json()).toMatchObject({ behind: null, offline: expect.stringContaining('clock') as string })
  const save = team.save({ materialId: 'post-1', versionId: 'v1' })
  expect(await member.deliver(save)).toMatchObject({ status: 500, json: { rc: 0, code: 'storage_failed' } })
  expect(member.lines.join('\n')).toMatch(/offline from the team: .*clock/)
  clock.mishap = null
  expect((await member.deliver(save)).json.rc).toBe(1)
})

it('refuses writes of a process that opened the library before it was imported', async () => {
  const team = await aTeam()
  const before = await openGalley({ folder: team.library })
  onTestFinished(() => before.close())
  const imported = await team.import()
  expect(imported.code, imported.stderr).toBe(0)
  const { index } = before
  const position = index.commit.mark()
  await expect(
    index.commit.write(() => index.rules.pause(null, { reason: 'no', since: '2026-11-24T10:00:00.000Z' })),
  ).rejects.toMatchObject({ reason: { code: 'team_joined' } })
  expect(index.commit.mark()).toEqual(position)
  expect((await team.run(team.library, 'fsck')).code).toBe(0)
})

describe.skipIf(!canMount())('a member whose own disk is full', () => {
  it('asks whether its keys may write, and does not blame them', async () => {
    const disk = mountSmallDisk(64)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const reader = { id: 'reader', secret: 'anything', mayWrite: false }
    const team = await aTeam({
      mishap: (method, _key, id) => (id === reader.id && method !== 'GET' && !reader.mayWrite ? 'status_403' : null),
    })
    expect((await team.import()).code).toBe(0)
    const folder = join(disk.folder, 'library')
    expect((await team.runAs(reader, folder, 'team', 'join', ...team.at)).json()).toMatchObject({ read_only: true })
    reader.mayWrite = true
    disk.fill(0)
    // An entry that this disk has no room for.
    expect((await team.run(team.library, 'site', 'add', 'acme', '--name', 'Other')).code).toBe(0)
    const status = (await team.runAs(reader, folder, 'team', 'status')).json()
    expect(status).toMatchObject({
      read_only: false,
      refuses: null,
      offline: 'the library is read-only',
    })
    const collected = await team.runAs(reader, folder, 'gc')
    expect(collected.code, collected.stdout).toBe(0)
  })

  it('refuses saves on a full disk, and once there is space again acknowledges a save that the bucket has, exactly once', async () => {
    const disk = mountSmallDisk(64)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    let isFilling = false
    const team = await aTeam({
      // The files are stored; from here on this machine cannot record the entry.
      hold: (method, key) => {
        if (isFilling && method === 'PUT' && key.includes('/log/')) disk.fill(0)
        return Promise.resolve()
      },
    })
    expect((await team.import()).code).toBe(0)
    const folder = join(disk.folder, 'library')
    expect((await team.join(folder)).code).toBe(0)
    const member = await team.listen(folder)
    const save = team.save({ materialId: 'post-1', versionId: 'v1' })
    isFilling = true
    const refused = await member.deliver(save)
    expect(refused.json, refused.text).toMatchObject({ rc: 0 })
    expect(refused.status).toBeGreaterThanOrEqual(500)
    isFilling = false
    await member.galley.team?.sync()
    expect(member.lines).toContain('this computer cannot store what the team writes: the disk is full')
    expect(member.lines.join()).not.toContain('offline from the team')
    rmSync(join(disk.folder, 'ballast'))
    const entries = [...team.objects.keys()].filter((key) => key.includes('/log/')).length
    expect((await member.deliver(save)).json.rc).toBe(1)
    // The bucket had the entry already.
    expect([...team.objects.keys()].filter((key) => key.includes('/log/'))).toHaveLength(entries)
    expect((await team.run(team.library, 'versions', 'acme', 'post-1')).json()).toHaveLength(1)
  })
})

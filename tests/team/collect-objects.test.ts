import { createHash } from 'node:crypto'
import { Agent } from 'undici'
import { afterAll, describe, expect, it } from 'vitest'

import type { BucketReport } from '../../packages/library/records/care-reports.ts'
import { keysUnder } from '../library/db/team/keys-under.ts'
import { reach } from '../library/db/team/reach.ts'
import { hasCeph, sharedCeph } from '../support/ceph.ts'
import type { Mishap } from '../support/s3-server.ts'
import { aTeam } from '../support/team.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

type Team = Awaited<ReturnType<typeof aTeam>>
const bucketOf = ({ storage }: Team) => reach(storage, agent).bucket
const filesOf = (team: Team) => keysUnder(bucketOf(team), 'files/')
const collect = async (team: Team, folder: string, ...args: string[]) => {
  const ran = await team.run(folder, 'gc', ...args)
  expect(ran.code, ran.stderr).toBe(0)
  return (ran.json() as { readonly bucket: BucketReport }).bucket
}
const shows = async (team: Team, folder: string, versionId: string): Promise<void> => {
  const shown = await team.run(folder, 'show', 'version', 'acme', 'post-1', versionId, '--html')
  expect(shown.code, shown.stderr).toBe(0)
}

/** A team of two with versions of one material, stored by the first member. */
async function twoMembers(team: Team, ...versionIds: string[]) {
  const imported = await team.import()
  expect(imported.code, imported.stderr).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const member = await team.listen()
  const saves = versionIds.map((versionId) => team.save({ materialId: 'post-1', versionId }))
  for (const save of saves) expect((await member.deliver(save)).json.rc).toBe(1)
  await member.close()
  return { folder, saves }
}

/** Prunes, collects and stores again, and checks every object of a file. */
async function expectCollected(team: Team): Promise<void> {
  const { folder, saves } = await twoMembers(team, 'v1', 'v2', 'v3')
  const before = await filesOf(team)
  const pruned = await team.run(folder, 'prune', '--keep-versions', '1')
  expect(pruned.json(), pruned.stderr).toMatchObject({ versions: 2 })
  const left = await filesOf(team)
  expect(left.length).toBeLessThan(before.length)
  expect(left.filter((key) => !before.includes(key))).toEqual([])
  for (const library of [team.library, folder]) {
    expect(await collect(team, library)).toMatchObject({ objects: 0 })
    await shows(team, library, 'v3')
    expect((await team.run(library, 'fsck')).code).toBe(0)
  }
  // A dropped file is stored again under another key, and the other member can read it.
  const again = await team.listen(folder)
  const [first] = saves
  expect(first && (await again.deliver(first)).json.rc).toBe(1)
  await again.close()
  const back = (await filesOf(team)).filter((key) => !left.includes(key))
  expect(back.length).toBeGreaterThan(0)
  for (const key of back) expect(key).toMatch(/^files\/[0-9a-f]{64}\.\d+$/)
  await shows(team, team.library, 'v1')

  // The remains of an interrupted upload, and an object that is not Galley's.
  const bucket = bucketOf(team)
  const bytes = Buffer.from('never named')
  const lost = `files/${createHash('sha256').update(bytes).digest('hex')}` as const
  for (const key of [lost, 'files/notes.txt']) expect(await bucket.create(key, bytes)).toEqual({ kind: 'created' })
  expect(await collect(team, folder, '--dry-run')).toMatchObject({ objects: 1 })
  expect(await filesOf(team)).toContain(lost)
  expect(await collect(team, folder)).toMatchObject({ objects: 1 })
  expect(await filesOf(team)).toEqual([...left, ...back, 'files/notes.txt'].toSorted())
  for (const versionId of ['v1', 'v3']) await shows(team, team.library, versionId)
  expect((await team.run(team.library, 'fsck')).code).toBe(0)
}

describe('gc in a member library', () => {
  it('removes unused objects from the bucket, for all members', async () => {
    await expectCollected(await aTeam())
  })

  it.skipIf(!hasCeph)(
    'does so on a real storage',
    async () => {
      const ceph = await sharedCeph()
      const bucket = await ceph.aBucket('private')
      await expectCollected(await aTeam({ url: ceph.url, keys: ceph.owner, bucket }))
    },
    240_000,
  )

  it('removes objects that a killed process has dropped but not removed', async () => {
    const fault: { mishap: Mishap } = { mishap: null }
    const team = await aTeam({ mishap: (method, key) => (isRemoval(method, key) ? fault.mishap : null) })
    const { folder } = await twoMembers(team, 'v1', 'v2')
    const before = await filesOf(team)
    fault.mishap = 'status_403'
    expect((await team.run(folder, 'prune', '--keep-versions', '1')).code).toBe(1)
    expect(await filesOf(team)).toEqual(before)
    fault.mishap = null
    // They are no longer used, so the other member need not drop them again.
    const position = async () => ((await team.run(team.library, 'team', 'status')).json() as Position).position
    await team.run(team.library, 'site', 'list')
    const dropped = await position()
    expect((await collect(team, team.library)).objects).toBeGreaterThan(0)
    expect(await position()).toBe(dropped)
    expect((await filesOf(team)).length).toBeLessThan(before.length)
    await shows(team, folder, 'v2')
  })

  it('never removes a file that a member is about to use', async () => {
    let arrived = (): void => undefined
    let release = (): void => undefined
    let isHolding = false
    const held = new Promise<void>((resolve) => (arrived = resolve))
    const released = new Promise<void>((resolve) => (release = resolve))
    const team = await aTeam({
      hold(method, key) {
        if (!isHolding || method !== 'PUT' || !key.includes('/log/')) return Promise.resolve()
        isHolding = false
        arrived()
        return released
      },
    })
    const { folder, saves } = await twoMembers(team, 'v1', 'v2')
    expect((await team.run(folder, 'prune', '--keep-versions', '1')).code).toBe(0)
    // Its files are in the bucket, but its entry is still on the way.
    const slow = await team.listen()
    const [first] = saves
    isHolding = true
    const answer = first && slow.deliver(first)
    await held
    expect((await collect(team, folder)).objects).toBeGreaterThan(0)
    release()
    expect((await answer)?.json.rc).toBe(1)
    await slow.close()
    await shows(team, folder, 'v1')
    expect((await team.run(folder, 'fsck')).code).toBe(0)
  })

  it('is refused with read-only keys, except as a dry run', async () => {
    let isReader = false
    const team = await aTeam({ mishap: (method) => (isReader && method !== 'GET' ? 'status_403' : null) })
    await twoMembers(team, 'v1')
    isReader = true
    const folder = await team.newFolder()
    expect((await team.join(folder)).json()).toMatchObject({ read_only: true })
    for (const command of [['gc'], ['prune', '--keep-versions', '1'], ['erase', 'editor@example.test']])
      expect((await team.run(folder, ...command)).failure()).toMatchObject({
        code: 'team_read_only',
        message: expect.stringContaining('can only read') as string,
      })
    expect(await collect(team, folder, '--dry-run')).toMatchObject({ objects: 0 })
  })
})

interface Position {
  readonly position: number
}

const isRemoval = (method: string, key: string): boolean => method === 'DELETE' && key.includes('/files/')

import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from 'undici'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

import { compareIndexes } from '../../packages/library/db/open/compare-index.ts'
import type { BucketReport } from '../../packages/library/records/care-reports.ts'
import { sendCheckpoint } from '../../packages/library/team/checkpoints.ts'
import { checkpointKey } from '../../packages/library/team/keys.ts'
import { keysUnder } from '../library/db/team/keys-under.ts'
import { reach } from '../library/db/team/reach.ts'
import { hasCeph, sharedCeph } from '../support/ceph.ts'
import type { Mishap } from '../support/s3-server.ts'
import { aTeam } from '../support/team.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { traces } from '../support/traces.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

type Team = Awaited<ReturnType<typeof aTeam>>
type Member = Awaited<ReturnType<Team['listen']>>
const reachOf = ({ storage }: Team) => reach(storage, agent)
const signal = new AbortController().signal

/** All objects in the bucket, by key. */
async function objectsOf(team: Team): Promise<ReadonlyMap<string, Buffer>> {
  const { bucket } = reachOf(team)
  const found = new Map<string, Buffer>()
  for (const key of await keysUnder(bucket, '')) {
    const answer = await bucket.get(key)
    if (answer.kind === 'found') found.set(key, Buffer.from(answer.bytes))
  }
  return found
}

const entriesIn = (objects: ReadonlyMap<string, Buffer>) => [...objects].filter(([key]) => key.startsWith('log/'))
const isFolded = ([, bytes]: readonly [string, Buffer]): boolean => bytes.toString().startsWith('{"folded":')
const checkpointsIn = (objects: ReadonlyMap<string, Buffer>) =>
  [...objects.keys()].filter((key) => key.startsWith('checkpoints/'))

/** The keys of the objects that contain a text, after unpacking. */
async function tracesIn(team: Team, text: string): Promise<readonly string[]> {
  const folder = join(await temporaryFolder(), 'bucket')
  await mkdir(folder)
  for (const [key, bytes] of await objectsOf(team)) await writeFile(join(folder, key.replaceAll('/', '_')), bytes)
  return traces(folder, text)
}

async function sendOne(team: Team, { galley }: Member): Promise<number> {
  const position = await galley.library.writeCheckpoint(signal)
  await reachOf(team).run(sendCheckpoint(position), undefined, galley.library.teamCheckpoints)
  return position
}

async function expectSameRows(...members: readonly Member[]): Promise<void> {
  const folder = await temporaryFolder()
  const copies: string[] = []
  for (const [at, { galley }] of members.entries()) {
    await galley.team?.sync()
    copies.push(join(folder, `${at}.db`))
    await galley.index.copyTo(copies[at] ?? '', () => undefined, signal)
  }
  for (const copy of copies.slice(1)) {
    const differences = await compareIndexes(copies[0] ?? '', copy)
    // Their logs begin at different entries.
    expect(differences.filter(({ table }) => table !== 'applied')).toEqual([])
  }
}

const store = async (team: Team, member: Member, versionId: string, metadata = {}): Promise<void> => {
  const answer = await member.deliver(team.save({ materialId: 'post-1', versionId, metadata }))
  expect(answer.json.rc, answer.text).toBe(1)
}

/** The first member, listening, and two others: one that listens and one that is offline. */
async function threeMembers(team: Team) {
  const imported = await team.import()
  expect(imported.code, imported.stderr).toBe(0)
  const [behind, away] = [await team.newFolder(), await team.newFolder()]
  for (const folder of [behind, away]) expect((await team.join(folder)).code).toBe(0)
  return { one: await team.listen(), other: await team.listen(behind), away }
}

/** Folds entries that other members have not read, and checks that they can continue. */
async function expectFoldForAll(team: Team, hold: (folder: string) => Promise<void>): Promise<void> {
  const { one, other, away } = await threeMembers(team)
  for (const versionId of ['v1', 'v2']) await store(team, one, versionId)
  await team.run(away, 'versions', 'acme', 'post-1')
  await hold(away)
  for (const versionId of ['v3', 'v4']) await store(team, one, versionId)
  const older = await sendOne(team, one)
  await store(team, one, 'v5')
  const newer = await sendOne(team, one)
  await store(team, one, 'v6')

  const keys = [...(await objectsOf(team)).keys()]
  const foretold = (await team.run(team.library, 'gc', '--dry-run')).json() as { readonly bucket: BucketReport }
  const collected = await team.run(team.library, 'gc')
  expect(collected.json(), collected.stderr).toMatchObject({ bucket: { ...foretold.bucket, entries: older } })
  const objects = await objectsOf(team)
  expect([...objects.keys()].filter((key) => key.startsWith('log/'))).toEqual(
    keys.filter((key) => key.startsWith('log/')),
  )
  expect(entriesIn(objects).filter(isFolded)).toHaveLength(older)
  expect(checkpointsIn(objects).map((key) => Number(key.slice(12, 32)))).toEqual([older, newer])

  // A listener continues from a checkpoint, and so does a member that returns after a year.
  const before = other.galley.index.commit.mark().position
  expect(before).toBeLessThan(older)
  await other.galley.team?.sync()
  expect(other.galley.team?.state(), other.lines.join('\n')).toEqual({ kind: 'current' })
  expect(other.galley.index.versions.list('acme', 'post-1')).toHaveLength(6)
  await store(team, other, 'v7')
  expect((await team.run(away, 'versions', 'acme', 'post-1')).json()).toHaveLength(7)
  const back = await team.listen(away)
  await store(team, back, 'v8')
  await expectSameRows(one, other, back)
  for (const member of [one, other, back]) await member.close()
  for (const folder of [team.library, away]) {
    const checked = await team.run(folder, 'fsck')
    expect(checked.code, checked.stdout).toBe(0)
    expect((await team.run(folder, 'rebuild')).json()).toMatchObject({ versions: 8, lost: [] })
  }
}

const ada = 'ada.l@example.test'

/** Erases a person, and checks every object of the bucket. */
async function expectEraseForAll(team: Team): Promise<void> {
  const { one, other, away } = await threeMembers(team)
  const hers = { user_email: ada, user_ip: '203.0.113.9' }
  await store(team, one, 'v1', hers)
  await store(team, one, 'v2', { user_email: 'bob@example.test' })
  await sendOne(team, one)
  await store(team, other, 'v3', hers)
  expect((await tracesIn(team, ada)).length).toBeGreaterThan(3)

  await one.close()
  const foretold = (await team.run(team.library, 'erase', ada, '--dry-run')).json() as Erased
  expect((await tracesIn(team, ada)).length).toBeGreaterThan(3)
  const erased = await team.run(team.library, 'erase', ada)
  expect(erased.json(), erased.stderr).toMatchObject({ rows: foretold.rows, archives: 2 })
  expect(foretold).toMatchObject({ archives: 2, bucket: { objects: (erased.json() as Erased).bucket.objects } })
  expect(await tracesIn(team, ada)).toEqual([])
  expect(await tracesIn(team, '203.0.113.9')).toEqual([])
  expect((await tracesIn(team, 'bob@example.test')).length).toBeGreaterThan(0)
  expect(checkpointsIn(await objectsOf(team))).toHaveLength(1)
  expect(await traces(join(team.library, 'log'), ada)).toEqual([])

  // One member is behind, and the other has never read of her.
  await other.galley.team?.sync()
  expect(other.galley.team?.state(), other.lines.join('\n')).toEqual({ kind: 'current' })
  await store(team, other, 'v4', { user_email: 'bob@example.test' })
  expect((await team.run(away, 'versions', 'acme', 'post-1')).json()).toHaveLength(4)
  const again = await team.listen()
  await expectSameRows(again, other)
  await again.close()
  // It had read of her, but what it sends later no longer names her.
  await sendOne(team, other)
  expect(await tracesIn(team, ada)).toEqual([])
  await other.close()
  for (const folder of [team.library, away]) expect((await team.run(folder, 'fsck')).code).toBe(0)
  const joined = await team.newFolder()
  expect((await team.join(joined)).code).toBe(0)
  expect((await team.run(joined, 'versions', 'acme', 'post-1')).json()).toHaveLength(4)
  expect((await team.run(team.library, 'erase', ada)).json()).toMatchObject({ rows: 0, archives: 0 })
}

interface Erased {
  readonly rows: number
  readonly bucket: BucketReport
}

async function aTeamOnCeph(): Promise<Team> {
  const ceph = await sharedCeph()
  return aTeam({ url: ceph.url, keys: ceph.owner, bucket: await ceph.aBucket('private') })
}

describe('folding the log in a bucket', () => {
  it('is done by gc; members that are behind continue from a checkpoint, and keep their waiting changes', async () => {
    const outage = { isAway: false }
    const team = await aTeam({ mishap: () => (outage.isAway ? 'cut_before' : null) })
    await expectFoldForAll(team, async (folder) => {
      outage.isAway = true
      expect((await team.run(folder, 'material', 'archive', 'acme', 'post-1')).stderr).toContain('a change waits')
      outage.isAway = false
    })
    const materials = (await team.run(team.library, 'materials', 'acme', '--archived')).json()
    expect(materials).toMatchObject([{ material_id: 'post-1' }])
  })

  it('is completed by the next gc after an interruption', async () => {
    const fault: { mishap: Mishap; puts: number } = { mishap: null, puts: 0 }
    const team = await aTeam({
      mishap: (method, key) =>
        fault.mishap && method === 'PUT' && key.includes('/log/') && (fault.puts += 1) > 3 ? fault.mishap : null,
    })
    const { one, other, away } = await threeMembers(team)
    for (const versionId of ['v1', 'v2', 'v3']) await store(team, one, versionId)
    const older = await sendOne(team, one)
    await store(team, one, 'v4')
    await sendOne(team, one)
    fault.mishap = 'status_403'
    expect((await team.run(team.library, 'gc')).code).toBe(1)
    fault.mishap = null
    expect(entriesIn(await objectsOf(team)).filter(isFolded).length).toBeLessThan(older)
    expect((await team.run(away, 'versions', 'acme', 'post-1')).json()).toHaveLength(4)
    expect((await team.run(team.library, 'gc')).code).toBe(0)
    expect(entriesIn(await objectsOf(team)).filter(isFolded)).toHaveLength(older)
    await expectSameRows(one, other)
  })
})

it('gc and a listener send a deleted checkpoint again, because no computer could join without one', async () => {
  const team = await aTeam()
  const { one, away } = await threeMembers(team)
  await store(team, one, 'v1')
  await one.close()
  // The log is folded into one checkpoint.
  expect((await team.run(team.library, 'erase', 'nobody@example.test')).code).toBe(0)
  const removeAll = (): void => {
    for (const key of team.objects.keys()) if (key.includes('/checkpoints/')) team.objects.delete(key)
  }
  removeAll()
  expect((await team.join(await team.newFolder())).failure()).toMatchObject({
    code: 'log_folded',
    message: expect.stringContaining('run galley gc on a computer that is up to date') as string,
  })
  expect((await team.run(team.library, 'gc')).code).toBe(0)
  expect((await team.run(away, 'versions', 'acme', 'post-1')).json()).toHaveLength(1)
  const joined = await team.newFolder()
  expect((await team.join(joined)).code).toBe(0)
  expect((await team.run(joined, 'versions', 'acme', 'post-1')).json()).toHaveLength(1)

  removeAll()
  const again = await team.listen()
  onTestFinished(again.galley.team?.keepFollowing(() => true) ?? (() => undefined))
  await expect.poll(async () => checkpointsIn(await objectsOf(team))).toHaveLength(1)
})

it.each([
  ['gc', []],
  ['fsck', ['--repair']],
])('%s sends a damaged checkpoint again', async (command, options) => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  // The log is folded into one checkpoint.
  expect((await team.run(team.library, 'erase', 'nobody@example.test')).code).toBe(0)
  const [key = ''] = checkpointsIn(await objectsOf(team))
  const damaged = Buffer.from('damaged')
  team.objects.set(`library/${key}`, damaged)
  expect((await team.join(await team.newFolder())).failure().code).toBe('log_folded')
  expect((await team.run(team.library, 'gc', '--dry-run')).code).toBe(0)
  expect(team.objects.get(`library/${key}`)).toEqual(damaged)
  expect((await team.run(team.library, 'fsck')).json()).toMatchObject({
    ok: false,
    findings: [{ kind: 'log_damaged', detail: expect.stringContaining('checkpoint') as string, fixable: true }],
  })
  expect((await team.run(team.library, command, ...options)).code).toBe(0)
  expect((await team.run(team.library, 'fsck')).json()).toMatchObject({ ok: true, findings: [] })
  const joined = await team.newFolder()
  expect((await team.join(joined)).code).toBe(0)
  expect((await team.run(joined, 'site', 'list')).json()).toMatchObject([{ id: 'acme' }])
})

describe('erasing a person from a team', () => {
  it('names the copies of another computer there, whose rows the log has cleaned already', async () => {
    const team = await aTeam()
    const listener = await team.listen()
    const saved = team.save({ materialId: 'post-1', versionId: 'v1', metadata: { user_email: ada } })
    expect((await listener.deliver(saved)).json.rc).toBe(1)
    await listener.close()
    expect((await team.import()).code).toBe(0)
    const folder = await team.newFolder()
    expect((await team.join(folder)).code).toBe(0)
    const copy = join(await temporaryFolder(), 'copy.galley')
    const backup = await team.run(folder, 'backup', copy)
    expect(backup.code, backup.stdout + backup.stderr).toBe(0)
    const erased = await team.run(team.library, 'erase', ada)
    expect(erased.json(), erased.stderr).toMatchObject({ bucket: { elsewhere: true }, backups: [] })
    expect((await team.run(folder, 'erase', ada)).json()).toMatchObject({ rows: 0, backups: [copy] })
  })

  it('leaves no trace of the person in the bucket, a real one where this system has one', async () => {
    await expectEraseForAll(hasCeph ? await aTeamOnCeph() : await aTeam())
  })

  it.each(['checkpoints/', 'log/'])('that was cut off at %s is finished by running it again', async (part) => {
    const fault: { mishap: Mishap } = { mishap: null }
    let isErased = false
    const team = await aTeam({
      mishap(method, key) {
        if (fault.mishap === null || method !== 'PUT') return null
        // The change is in the log, and the checkpoint is being sent.
        isErased ||= key.includes('/checkpoints/')
        return isErased && key.includes(part) ? fault.mishap : null
      },
    })
    const { one, other, away } = await threeMembers(team)
    await store(team, one, 'v1', { user_email: ada })
    await one.close()
    fault.mishap = 'status_403'
    expect((await team.run(team.library, 'erase', ada)).code).toBe(1)
    fault.mishap = null
    // All members can still work in the meantime.
    expect((await team.run(away, 'versions', 'acme', 'post-1')).json()).toHaveLength(1)
    await store(team, other, 'v2')
    expect((await team.run(team.library, 'erase', ada)).code).toBe(0)
    expect(await tracesIn(team, ada)).toEqual([])
    await store(team, other, 'v3')
    expect((await team.run(away, 'versions', 'acme', 'post-1')).json()).toHaveLength(3)
  })

  it('stays true where the bucket has lost its log: no member sends what was folded', async () => {
    const fault = { isOn: false }
    const team = await aTeam({
      mishap: (method, key) => (fault.isOn && method === 'PUT' && key.includes('/checkpoints/') ? 'status_403' : null),
    })
    const { one, other, away } = await threeMembers(team)
    await store(team, one, 'v1', { user_email: ada })
    await one.close()
    await other.close()
    // Only the computer that shared its library has the log from its first entry on.
    const behind = await team.newFolder()
    await cp(team.library, behind, { recursive: true })
    fault.isOn = true
    expect((await team.run(away, 'erase', ada)).code).toBe(1)
    fault.isOn = false
    // It reads the change from entries, before they are folded.
    expect((await team.run(team.library, 'versions', 'acme', 'post-1')).json()).toHaveLength(1)
    expect((await team.run(away, 'erase', ada)).code).toBe(0)
    expect((await team.run(away, 'site', 'add', 'acme', '--name', 'Other')).code).toBe(0)

    const ofLog = () => [...team.objects.keys()].filter((key) => key.includes('/log/')).toSorted()
    for (const rest of [ofLog().slice(-1), []]) {
      for (const key of ofLog()) if (!rest.includes(key)) team.objects.delete(key)
      for (const folder of [behind, team.library]) {
        const repaired = await team.run(folder, 'fsck', '--repair')
        expect([repaired.code, repaired.json()], repaired.stderr).toMatchObject([
          1,
          { findings: [{ kind: 'log_damaged', fixable: false, fixed: false }] },
        ])
        expect(ofLog()).toEqual(rest)
      }
    }
    expect(await tracesIn(team, ada)).toEqual([])
  })
})

it('takes objects with the names of checkpoints behind the end of the log for no checkpoints', async () => {
  const team = await aTeam()
  const { one, away } = await threeMembers(team)
  await store(team, one, 'v1')
  for (const position of [900, 901])
    team.objects.set(`library/${checkpointKey(position)}`, Buffer.from('not written by Galley'))
  const before = entriesIn(await objectsOf(team))
  const foretold = await team.run(away, 'gc', '--dry-run')
  expect(foretold.json(), foretold.stderr).toMatchObject({ bucket: { entries: 0, checkpoints: 0 } })
  const collected = await team.run(away, 'gc')
  expect(collected.json(), collected.stderr).toMatchObject({ bucket: { entries: 0, checkpoints: 0 } })
  expect(entriesIn(await objectsOf(team))).toEqual(before)
  expect((await team.run(away, 'fsck')).json()).toMatchObject({ findings: [] })

  await store(team, one, 'v2')
  await sendOne(team, one)
  await sendOne(team, one)
  const joined = await team.newFolder()
  expect((await team.join(joined)).code).toBe(0)
  expect((await team.run(joined, 'versions', 'acme', 'post-1')).json()).toHaveLength(2)
})

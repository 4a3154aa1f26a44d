import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

import { compareWithLog } from '../../../../packages/library/db/open/compare-index.ts'
import { entryKey } from '../../../../packages/library/team/keys.ts'
import { createNetwork } from '../../../../packages/platform/network/network.ts'
import { joinLibrary } from '../../../../packages/team/join-library.ts'
import { markLibrary } from '../../../../packages/team/team-marker.ts'
import { startS3Server } from '../../../support/s3-server.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { aStored, versionsOf } from '../committed.ts'
import { setVersion, today } from '../other-schema.ts'
import { acme } from '../sample.ts'
import type { Member } from './members.ts'
import { aMember, copyOf, firstEntry, makeMember, saveAndFold } from './members.ts'
import { reach } from './reach.ts'

// Members of one team that run different versions of Galley: checkpoints in the bucket have the schema of whoever sent them.

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

const keys = { id: 'key', secret: 'secret' }

/** A team whose log is folded into its one checkpoint, which another version of Galley wrote. */
async function aTeam(write: (checkpoint: string) => Promise<string>) {
  const server = await startS3Server()
  onTestFinished(server.close)
  const { bucket, run } = reach({ url: server.url, keys }, agent)
  await bucket.create(entryKey(1), firstEntry)
  await markLibrary(bucket, 'a-team')
  const folder = await temporaryFolder()
  makeMember(folder)
  const one = await aMember(run, folder)
  await one.index.commit.write(() => one.index.sites.put(acme))
  const behind = await temporaryFolder()
  makeMember(behind)
  const other = await aMember(run, behind)
  await other.follow()
  await saveAndFold(run, one)

  const key = [...server.objects.keys()].find((each) => each.includes('/checkpoints/')) ?? ''
  const ours = server.objects.get(key) ?? Buffer.alloc(0)
  const file = join(await temporaryFolder(), 'checkpoint.db')
  await writeFile(file, gunzipSync(ours))
  server.objects.set(key, gzipSync(await readFile(await write(file))))

  const joinTeam = async (into: string): Promise<Member> => {
    const place = { bucket: 'team', prefix: 'library/', endpoint: server.url, region: 'us-east-1' }
    await joinLibrary({
      folder: into,
      place,
      network: createNetwork({}),
      keys,
      keepKeys: () => Promise.resolve(),
      now: () => new Date(),
      onEntries: () => undefined,
    })
    return aMember(run, into)
  }
  return { one, other, join: joinTeam, giveBack: () => void server.objects.set(key, ours) }
}

/** It has all versions, says nothing of loss, and its rows are those that its own log and checkpoint make. */
async function expectWhole(member: Member, versions: readonly string[]): Promise<void> {
  const { library, index } = member
  expect(versionsOf(member)).toEqual(versions)
  const found = await compareWithLog(await copyOf(member), {
    log: library.log,
    checkpoints: library.checkpoints,
    library: index.library(),
    scratch: await temporaryFolder(),
  })
  expect([found.differences, found.built.unapplied]).toEqual([[], []])
}

const stored = ['v1', 'v2', 'v3', 'v4']

describe('a checkpoint in the bucket', () => {
  it('of a later schema keeps members where they are, with its reason, until they are updated', async () => {
    const team = await aTeam(async (file) => {
      await setVersion(file, today + 1)
      return file
    })
    const { other } = team
    const before = other.index.commit.mark()
    await expect(other.follow()).rejects.toMatchObject({ code: 'log_newer' })
    await expect(other.index.commit.soon(() => [aStored('v5')])).rejects.toMatchObject({ code: 'log_newer' })
    expect(other.index.commit.mark()).toEqual(before)
    const folder = join(await temporaryFolder(), 'joined')
    await expect(team.join(folder)).rejects.toMatchObject({ code: 'other_galley' })
    // As if both were updated.
    team.giveBack()
    await other.follow()
    await expectWhole(other, stored)
    await expectWhole(await team.join(folder), stored)
  })
})

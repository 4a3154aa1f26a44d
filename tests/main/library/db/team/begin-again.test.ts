import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Agent } from 'undici'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

import { compareIndexes } from '../../../../../src/main/library/db/compare-index.ts'
import type { IndexWork } from '../../../../../src/main/library/db/index-work.ts'
import { indexWork, replaceIndex } from '../../../../../src/main/library/db/index-work.ts'
import { entryKey } from '../../../../../src/main/library/team/keys.ts'
import { startS3Server } from '../../../../support/s3-server.ts'
import { aStored } from '../committed.ts'
import { memoryFolder } from '../memory-folder.ts'
import { acme } from '../sample.ts'
import type { Member } from './members.ts'
import { aMember, copyOf, firstEntry, makeMember, saveAndFold } from './members.ts'
import { reach } from './reach.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

async function aTeam() {
  const server = await startS3Server()
  onTestFinished(server.close)
  const { bucket, run } = reach({ url: server.url, keys: { id: 'key', secret: 'secret' } }, agent)
  await bucket.create(entryKey(1), firstEntry)

  const open = (folder: string, work?: IndexWork) => aMember(run, folder, work)

  const folder = await memoryFolder()
  makeMember(folder)
  const one = await open(folder)
  await one.index.commit.write(() => one.index.sites.put(acme))
  const behind = await memoryFolder()
  makeMember(behind)
  const other = await open(behind)
  await other.follow()
  other.close()
  await saveAndFold(run, one)

  /** A member that is behind the fold. */
  return { one, open, behind }
}

/** Where an entry stands in the local log differs: the one log begins behind the checkpoint. */
const differences = async (one: Member, other: Member) =>
  (await compareIndexes(await copyOf(one), await copyOf(other))).filter(({ table }) => table !== 'applied')

async function expectSame(one: Member, other: Member): Promise<void> {
  expect(await differences(one, other)).toEqual([])
  expect(existsSync(join(other.folder, 'index.rebuild'))).toBe(false)
  await other.index.commit.soon(() => [aStored('v5')])
  await one.follow()
  expect(await differences(one, other)).toEqual([])
}

describe('a member that goes on from a checkpoint', () => {
  it('does so while it is open, and once however many ask', async () => {
    const { one, open, behind } = await aTeam()
    let times = 0
    const other = await open(behind, { ...indexWork, replace: (files) => ((times += 1), replaceIndex(files)) })
    const { position } = other.index.commit.mark()
    const taken = await Promise.all([other.follow(), other.follow(), other.follow()])
    expect(Math.max(...taken)).toBe(one.index.commit.mark().position - position)
    expect(times).toBe(1)
    expect(other.library.log.segments()).toEqual([one.index.commit.mark().position])
    await expectSame(one, other)
  })

  const killed = new Error('killed')
  it.each<[string, IndexWork['replace']]>([
    ['before its index is replaced', () => Promise.reject(killed)],
    ['when its index is replaced', (files) => replaceIndex(files).then(() => Promise.reject(killed))],
  ])('and is killed %s is repaired when it is opened', async (_when, replace) => {
    const { one, open, behind } = await aTeam()
    const other = await open(behind, { ...indexWork, replace })
    await expect(other.follow()).rejects.toBe(killed)
    expect(existsSync(join(behind, 'index.rebuild'))).toBe(true)
    other.close()
    const again = await open(behind)
    expect(again.library.state).toBe('whole')
    await again.follow()
    await expectSame(one, again)
  })

  it('stays where it is when the disk has no room, and tries again', async () => {
    const { one, open, behind } = await aTeam()
    let isFull = true
    const replace: IndexWork['replace'] = (files) => (isFull ? Promise.resolve('SQLITE_FULL') : replaceIndex(files))
    const other = await open(behind, { ...indexWork, replace })
    const before = other.index.commit.mark()
    await expect(other.follow()).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(other.index.commit.mark()).toEqual(before)
    isFull = false
    await other.follow()
    await expectSame(one, other)
  })
})

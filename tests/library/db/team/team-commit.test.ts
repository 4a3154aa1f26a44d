import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

import { compareIndexes } from '../../../../packages/library/db/open/compare-index.ts'
import { entryKey, fileKey } from '../../../../packages/library/team/keys.ts'
import { TeamLogError } from '../../../../packages/library/team/replica.ts'
import type { Request } from '../../../../packages/library/team/requests.ts'
import { BucketAwayError } from '../../../../packages/library/team/requests.ts'
import { EntryUnknownError } from '../../../../packages/library/team/write-entry.ts'
import { aChange } from '../../../support/random-changes.ts'
import { randomFrom } from '../../../support/random.ts'
import { aStored, expectSameAsLog } from '../committed.ts'
import { acme, sha } from '../sample.ts'
import type { Fate, Member } from './members.ts'
import { aMember, aTeamBucket, copyOf, runOn } from './members.ts'

const site = (id: string) => ({ ...acme, id })
const sitesOf = ({ index }: Member) =>
  index.sites
    .list()
    .map(({ id }) => id)
    .toSorted()
const versionsOf = ({ index }: Member) =>
  index.versions
    .list('acme', 'post-1')
    .map(({ versionId }) => versionId)
    .toSorted()

/** Whether all members have the same rows, which are those of their logs. */
async function expectEqual(members: readonly Member[]): Promise<void> {
  for (const member of members) await member.follow()
  const copies = await Promise.all(members.map(copyOf))
  for (const other of copies.slice(1)) expect(await compareIndexes(copies[0]!, other)).toEqual([])
  for (const member of members) await expectSameAsLog(member)
}

describe('a member of a team', () => {
  it('writes an entry into the bucket, with its files before it, and others read it', async () => {
    const bucket = aTeamBucket()
    const [one, other] = [await aMember(runOn(bucket)), await aMember(runOn(bucket))]
    await one.index.commit.write(() => one.index.sites.put(acme))
    await one.index.commit.soon(() => [aStored('v1')])
    expect(bucket.history).toHaveLength(3)
    expect(bucket.objects.has(fileKey(sha('html v1'), 0))).toBe(true)
    expect(versionsOf(other)).toEqual([])
    expect(await other.follow()).toBe(2)
    expect(versionsOf(other)).toEqual(['v1'])
    await expectEqual([one, other])
  })

  it('that lost a position decides again on what it has read', async () => {
    const bucket = aTeamBucket()
    const [one, other] = [await aMember(runOn(bucket)), await aMember(runOn(bucket))]
    await one.index.commit.write(() => one.index.sites.put(acme))
    const seen: (readonly string[])[] = []
    const count = await other.index.commit.write(() => {
      seen.push(sitesOf(other))
      other.index.sites.put(site('other'))
      return other.index.sites.list().length
    })
    expect(seen).toEqual([[], ['acme']])
    expect(count).toBe(2)
    await expectEqual([one, other])
  })

  it('refuses nothing before it has read the log to its end', async () => {
    const bucket = aTeamBucket()
    const [one, other] = [await aMember(runOn(bucket)), await aMember(runOn(bucket))]
    await one.index.commit.write(() => one.index.sites.put(acme))
    const find = (id: string) => () => {
      if (!other.index.sites.find(id)) throw new Error(`There is no site ${id}`)
    }
    await expect(other.index.commit.write(find('acme'))).resolves.toBeUndefined()
    await expect(other.index.commit.write(find('nobody'))).rejects.toThrow('There is no site nobody')
  })

  it('shares entries between saves that come together, and keeps one that fails from the others', async () => {
    const bucket = aTeamBucket()
    const member = await aMember(runOn(bucket))
    await member.index.commit.write(() => member.index.sites.put(acme))
    const saves = await Promise.allSettled([
      ...['v1', 'v2', 'v3'].map((id) => member.index.commit.soon(() => [aStored(id)])),
      member.index.commit.soon(() => {
        throw new Error('not this one')
      }),
      // The same version again contradicts the rows.
      member.index.commit.soon(() => [aStored('v2')]),
    ])
    expect(saves.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(bucket.history).toHaveLength(3)
    expect(versionsOf(member)).toEqual(['v1', 'v2', 'v3'])
    await expectEqual([member])
  })

  it('shares log and index with other processes of its machine', async () => {
    const bucket = aTeamBucket()
    const listener = await aMember(runOn(bucket))
    const command = await aMember(runOn(bucket), listener.folder)
    await listener.index.commit.write(() => listener.index.sites.put(acme))
    expect(sitesOf(command)).toEqual(['acme'])
    await Promise.all([
      listener.index.commit.soon(() => [aStored('v1')]),
      command.index.commit.soon(() => [aStored('v2')]),
      listener.index.commit.soon(() => [aStored('v3')]),
    ])
    expect(versionsOf(listener)).toEqual(['v1', 'v2', 'v3'])
    expect(bucket.history).toHaveLength(listener.index.commit.mark().position)
    await expectEqual([listener, command, await aMember(runOn(bucket))])
  })

  it('acknowledges an entry that another process of its machine has applied before it', async () => {
    const bucket = aTeamBucket()
    const listener = await aMember(runOn(bucket, undefined, () => 20))
    const command = await aMember(runOn(bucket), listener.folder)
    const state = { isOver: false }
    const put = () => listener.index.sites.put(acme)
    const putting = listener.index.commit.write(put).finally(() => (state.isOver = true))
    let taken = 0
    while (!state.isOver) {
      taken += await command.follow()
      await nextTurn()
    }
    await expect(putting).resolves.toBeUndefined()
    expect(taken).toBe(1)
    await expectEqual([listener, command])
  })

  it('keeps nothing that the bucket does not accept, and reports when the outcome is unknown', async () => {
    const bucket = aTeamBucket()
    let fate: Fate = 'lost'
    // These ask whether the log in the bucket is still whole.
    const isConfirming = (request: Request) =>
      request.kind === 'list' || (request.kind === 'get' && request.keys[0] === entryKey(1))
    const member = await aMember(runOn(bucket, (request) => (isConfirming(request) ? confirmed : fate)))
    let confirmed: Fate = 'lost'
    const put = () => member.index.commit.write(() => member.index.sites.put(acme))
    await expect(put()).rejects.toThrow(BucketAwayError)
    confirmed = 'done'
    await expect(put()).rejects.toThrow(EntryUnknownError)
    await expect(member.follow()).rejects.toThrow(BucketAwayError)
    expect(sitesOf(member)).toEqual([])
    fate = 'answer_lost'
    await expect(put()).rejects.toThrow(EntryUnknownError)
    expect(sitesOf(member)).toEqual([])
    fate = 'done'
    // The one that nobody could tell of is in the log.
    expect(await member.follow()).toBe(1)
    expect(sitesOf(member)).toEqual(['acme'])
    await expectEqual([member])
  })

  it('stops at an object that is not an entry, and continues once it is gone', async () => {
    const bucket = aTeamBucket()
    const member = await aMember(runOn(bucket))
    bucket.putForeign('log/00000000000000000002.jsonl', Buffer.from('<html>'))
    await expect(member.follow()).rejects.toThrow(TeamLogError)
    await expect(member.index.commit.write(() => member.index.sites.put(acme))).rejects.toMatchObject({
      code: 'log_foreign',
      position: 2,
    })
    bucket.mend()
    await member.index.commit.write(() => member.index.sites.put(acme))
    await expectEqual([member])
  })

  it('is written to by commit.write alone', async () => {
    const member = await aMember(runOn(aTeamBucket()))
    expect(() => member.index.sites.put(acme)).toThrow('A team library is written to by commit.write')
    expect(sitesOf(member)).toEqual([])
  })
})

/** More for a long run: a hundredth of the seeds of the model. */
const seeds = Math.max(5, Math.floor(Number(process.env['GALLEY_TEAM_SEEDS'] ?? 0) / 100))
const fates: readonly Fate[] = ['lost', 'answer_lost', 'late', 'twice']

describe('members that share a bucket which loses, delays and repeats what it is asked', () => {
  it.each(Array.from({ length: seeds }, (_, at) => at + 1))('have the same rows in the end: seed %i', async (seed) => {
    const random = randomFrom(seed)
    const below = (count: number): number => Math.floor(random() * count)
    const bucket = aTeamBucket()
    const badness = random() * 0.4
    let isOver = false
    const run = runOn(
      bucket,
      () => (!isOver && random() < badness ? (fates[below(fates.length)] ?? 'done') : 'done'),
      () => below(3),
    )
    const members = await Promise.all([aMember(run), aMember(run)])
    // A second process of the first machine.
    members.push(await aMember(run, members[0].folder))
    const acknowledged: string[] = []
    async function work(member: Member, name: string): Promise<void> {
      await member.index.commit.write(() => member.index.sites.put(acme)).catch(passOver)
      for (let nth = 0; nth < 6; nth += 1) {
        const id = `${name}${nth}`
        const change = aChange(seed * 1000 + below(1000), true)
        await Promise.all([
          member.index.commit.soon(() => [aStored(id)]).then(() => acknowledged.push(id), passOver),
          member.index.commit.soon(() => [change]).catch(passOver),
        ])
      }
    }
    await Promise.all(members.map((member, at) => work(member, `m${at}-`)))
    isOver = true
    await expectEqual([...members, await aMember(runOn(bucket))])
    const text = bucket.history.map((bytes) => Buffer.from(bytes).toString()).join('')
    for (const id of acknowledged) expect(text.split(`"versionId":"${id}"`)).toHaveLength(2)
    expect(bucket.faults).toEqual([])
  })
})

/** What is not acknowledged may be in the log or not. */
const passOver = (): void => undefined

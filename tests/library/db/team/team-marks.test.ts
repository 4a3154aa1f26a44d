import { describe, expect, it } from 'vitest'

import { BucketAwayError } from '../../../../packages/library/team/requests.ts'
import { aVerdict } from '../../../support/a-verdict.ts'
import { aStored } from '../committed.ts'
import { acme } from '../sample.ts'
import type { Fate, Member } from './members.ts'
import { aMember, aTeamBucket, runOn } from './members.ts'

const at = '2026-11-24T10:00:00.000Z'
const post = 'post-1'

/** Two machines of a team with a version, and a bucket that one of them cannot reach while its fate says so. */
async function twoMachines() {
  const bucket = aTeamBucket()
  const fate: { one: Fate; other: Fate } = { one: 'done', other: 'done' }
  const one = await aMember(runOn(bucket, () => fate.one))
  const other = await aMember(runOn(bucket, () => fate.other))
  await one.index.commit.write(() => one.index.sites.put(acme))
  await one.index.commit.soon(() => [aStored('v1')])
  await other.follow()
  return { bucket, fate, one, other }
}

const judge = ({ index }: Member, decision: 'approved' | 'changes_requested', reason = '') =>
  index.commit.write(() =>
    index.fields.set('version', acme.id, [{ materialId: post, versionId: 'v1' }], {
      verdict: aVerdict(decision, reason),
    }),
  )
const verdictOf = ({ index }: Member) => index.versionList.find(acme.id, post, 'v1')?.verdict
const rename = ({ index }: Member, title: string) =>
  index.commit.write(() =>
    index.materials.rename(acme.id, post, title, index.materials.find(acme.id, post)?.slug ?? ''),
  )
const waiting = ({ index }: Member) => index.teamMarks?.list() ?? []

describe('a change that finds no bucket', () => {
  it('waits, and is written when the bucket is back', async () => {
    const { fate, one, other } = await twoMachines()
    fate.one = 'lost'
    await judge(one, 'approved')
    // Lists show what was wanted.
    expect(verdictOf(one)).toMatchObject({ decision: 'approved' })
    await rename(one, 'A name')
    const { index } = one
    await index.commit.write(() =>
      index.fields.set('material', acme.id, [{ materialId: post }], { tags: { add: ['new'], remove: [] } }),
    )
    await index.commit.write(() => index.fields.set('material', acme.id, [{ materialId: post }], { archivedAt: at }))
    expect(waiting(one).map(({ field }) => field.field)).toEqual(['verdict', 'title', 'tag:new', 'archivedAt'])
    await expect(index.teamMarks?.send()).rejects.toThrow(BucketAwayError)
    expect(waiting(one)).toHaveLength(4)
    fate.one = 'done'
    expect(await index.teamMarks?.send()).toBe(4)
    expect(waiting(one)).toEqual([])
    await other.follow()
    expect(verdictOf(other)).toMatchObject({ decision: 'approved' })
    expect(other.index.materials.find(acme.id, post)).toMatchObject({ title: 'A name' })
    expect([...other.index.materials.listArchived(acme.id)]).toHaveLength(1)
  })

  it('is kept for a person to decide if somebody else has changed the field, and overwrites nothing', async () => {
    const { fate, one, other } = await twoMachines()
    fate.one = 'lost'
    await judge(one, 'approved')
    await rename(one, 'Mine')
    await judge(other, 'changes_requested', 'no')
    fate.one = 'done'
    expect(await one.index.teamMarks?.send()).toBe(2)
    expect(verdictOf(one)).toMatchObject({ decision: 'changes_requested' })
    // What nobody else has touched is written.
    expect(one.index.materials.find(acme.id, post)?.title).toBe('Mine')
    const [conflict] = waiting(one)
    expect(conflict?.mark).toMatchObject({
      wanted: '{"decision":"approved","reason":""}',
      theirs: '{"decision":"changes_requested","reason":"no"}',
    })
    // It waits for its person, not for the bucket.
    expect(await one.index.teamMarks?.send()).toBe(0)
    if (conflict) one.index.teamMarks?.insist(conflict)
    expect(await one.index.teamMarks?.send()).toBe(1)
    await other.follow()
    expect(verdictOf(other)).toMatchObject({ decision: 'approved' })
    expect(waiting(one)).toEqual([])
  })

  it('is no conflict with the same change, nor with one of its own that may have arrived', async () => {
    const { fate, one, other } = await twoMachines()
    fate.one = 'lost'
    await rename(one, 'Same')
    await rename(other, 'Same')
    fate.one = 'answer_lost'
    await judge(one, 'approved')
    fate.one = 'lost'
    await judge(one, 'changes_requested')
    expect(waiting(one).map(({ field }) => field.field)).toEqual(['title', 'verdict'])
    fate.one = 'done'
    await one.index.teamMarks?.send()
    expect(waiting(one)).toEqual([])
    expect(verdictOf(one)).toMatchObject({ decision: 'changes_requested' })
  })

  it('is past when its person changes the field again with the bucket', async () => {
    const { fate, one, other } = await twoMachines()
    fate.one = 'lost'
    await judge(one, 'approved')
    await judge(other, 'changes_requested')
    fate.one = 'done'
    await judge(one, 'approved', 'after all')
    expect(waiting(one)).toEqual([])
    await other.follow()
    expect(verdictOf(other)).toMatchObject({ decision: 'approved', reason: 'after all' })
  })

  it('survives the end of the process, and needs a decision if its version is gone', async () => {
    const { fate, bucket, one, other } = await twoMachines()
    fate.one = 'lost'
    await judge(one, 'approved')
    one.close()
    await other.index.commit.write(() => other.index.retention.removeMaterial(acme.id, post))
    const again = await aMember(runOn(bucket), one.folder)
    expect(waiting(again)).toHaveLength(1)
    await again.index.teamMarks?.send()
    expect(waiting(again)[0]?.mark.theirs).toBe('gone')
  })

  it('fails as before where it is more than a mark, and with keys that may not write', async () => {
    const { fate, one } = await twoMachines()
    fate.one = 'lost'
    await expect(one.index.commit.write(() => one.index.sites.put({ ...acme, name: 'Other' }))).rejects.toThrow(
      BucketAwayError,
    )
    one.index.teamMarks?.letWait(false)
    await expect(judge(one, 'approved')).rejects.toThrow(BucketAwayError)
    expect(waiting(one)).toEqual([])
  })
})

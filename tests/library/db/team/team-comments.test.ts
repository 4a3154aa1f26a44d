import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'

import { BucketAwayError } from '../../../../packages/library/team/requests.ts'
import { aStored } from '../committed.ts'
import { acme } from '../sample.ts'
import type { Fate, Member } from './members.ts'
import { aMember, aTeamBucket, runOn } from './members.ts'

const post = 'post-1'
const anchor = { kind: 'text', exact: 'the bridge', prefix: '', suffix: '', start: 0 } as const
let minute = 0
const written = (by: string, text: string) => ({
  id: randomUUID(),
  by,
  text,
  at: new Date(Date.UTC(2026, 10, 24, 10, (minute += 1))).toISOString(),
})

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

async function add({ index }: Member, by: string, text: string): Promise<string> {
  const comment = { ...written(by, text), site: acme.id, materialId: post, versionId: 'v1', anchor }
  await index.commit.write(() => index.comments.add(comment))
  return comment.id
}
const answer = ({ index }: Member, thread: string, by: string, text: string) => {
  const said = { ...written(by, text), thread }
  return index.commit.write(() => index.comments.answer(said))
}
const settle = ({ index }: Member, thread: string, isResolved: boolean, by: string) => {
  const { at } = written(by, '')
  return index.commit.write(() => index.comments.settle({ thread, isResolved, by, at }))
}
const said = ({ index }: Member) =>
  index.comments
    .of(acme.id, post)
    .map(({ comments, resolved }) => [
      ...comments.map(({ text }) => text),
      ...(resolved === null ? [] : [`resolved by ${resolved.by}`]),
    ])

describe('comments of a team', () => {
  it('wait while the bucket is away, are shown, and never conflict', async () => {
    const { fate, one, other } = await twoMachines()
    const first = await add(one, 'Ida', 'Why?')
    await other.follow()
    fate.one = fate.other = 'lost'
    await answer(one, first, 'Ida', 'Still: why?')
    const mine = await add(one, 'Ida', 'And here?')
    await answer(one, mine, 'Ida', 'I mean the caption.')
    await settle(one, first, true, 'Ida')
    await answer(other, first, 'Ben', 'Because.')
    await add(other, 'Ben', 'Too long')
    await settle(other, first, false, 'Ben')
    expect(said(one)).toEqual([
      ['Why?', 'Still: why?', 'resolved by Ida'],
      ['And here?', 'I mean the caption.'],
    ])
    expect(one.index.comments.find(mine)).toMatchObject({ isWaiting: true, number: 1 })
    expect(one.index.teamMarks?.comments()).toBe(4)
    await expect(one.index.teamMarks?.send()).rejects.toThrow(BucketAwayError)
    expect(one.index.teamMarks?.comments()).toBe(4)
    fate.one = fate.other = 'done'
    expect(await one.index.teamMarks?.send()).toBe(4)
    expect(await other.index.teamMarks?.send()).toBe(3)
    await one.follow()
    expect(said(one)).toEqual(said(other))
    // The last one wins in the log; nothing that was said is lost.
    expect(said(one)).toEqual([['Why?', 'Still: why?', 'Because.'], ['And here?', 'I mean the caption.'], ['Too long']])
    expect(one.index.comments.find(mine)?.isWaiting).toBe(false)
    expect(one.index.teamMarks?.comments()).toBe(0)
  })

  it('are not there twice where nobody learned that they were written', async () => {
    const { fate, one, other } = await twoMachines()
    fate.one = 'answer_lost'
    await add(one, 'Ida', 'Once')
    fate.one = 'done'
    await one.index.teamMarks?.send()
    await other.follow()
    expect(said(one)).toEqual([['Once']])
    expect(said(other)).toEqual([['Once']])
  })

  it('lose the name of a person, also where they wait', async () => {
    const { fate, one } = await twoMachines()
    const first = await add(one, 'Ida', 'Why?')
    await answer(one, first, 'Ben', 'Because.')
    await settle(one, first, true, 'Ida')
    fate.one = 'lost'
    await add(one, 'Ida', 'Waits')
    expect(one.index.comments.countNamed('Ida')).toBe(3)
    fate.one = 'done'
    await one.index.commit.write(() => one.index.comments.eraseName('Ida'))
    one.index.comments.forgetName('Ida')
    expect(one.index.comments.countNamed('Ida')).toBe(0)
    await one.index.teamMarks?.send()
    expect(
      one.index.comments
        .of(acme.id, post)
        .map(({ comments, resolved }) => [comments.map(({ by }) => by), resolved?.by]),
    ).toEqual([
      [['', 'Ben'], ''],
      [[''], undefined],
    ])
  })
})

describe('what a person may want to look at', () => {
  it('is what others answered, and what is on an earlier version', async () => {
    const { one } = await twoMachines()
    const { comments } = one.index
    const first = await add(one, 'Ida', 'Why?')
    expect(comments.answered('Ida', acme.id)).toEqual([])
    await answer(one, first, 'Ben', 'Because.')
    expect(comments.answered('Ida', null)).toMatchObject([{ materialId: post, answered: 1, older: 0 }])
    expect(comments.answered('Ben', null)).toEqual([])
    await one.index.commit.soon(() => [aStored('v2')])
    expect(comments.answered('Ben', acme.id)).toMatchObject([{ answered: 0, older: 1 }])
    await settle(one, first, true, 'Ida')
    expect(comments.answered('Ida', null)).toEqual([])
  })

  it('keeps the versions that have comments', async () => {
    const { one } = await twoMachines()
    await one.index.commit.soon(() => [aStored('v2')])
    await add(one, 'Ida', 'Why?')
    const material = one.index.retention.material(acme.id, post)
    expect(
      one.index.retention.history(material?.row ?? 0).map(({ versionId, protection }) => [versionId, protection]),
    ).toEqual([
      ['v2', 'current'],
      ['v1', 'noted'],
    ])
  })
})

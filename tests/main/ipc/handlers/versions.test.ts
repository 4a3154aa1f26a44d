import { expect, test } from 'vitest'

import { decide } from '../../../../packages/library/review/decide.ts'
import { aVerdict } from '../../../support/a-verdict.ts'
import { versionIn } from '../../../support/records.ts'
import { aSave } from '../../../support/test-galley.ts'
import { setUp } from './material-fixture.ts'

test('the timeline shows changes, marks and verdicts, and the parts of a version are read in pieces', async () => {
  const { versionCalls, calls, changes, service, post } = await setUp()
  const text = 'ünï — '.repeat(5_000)
  const save = aSave(service, {
    materialId: 'harbour',
    versionId: 'harbour-2',
    versionCdate: '2026-11-02T10:00:00Z',
    html: `<h1>Changed</h1><p>${text}</p><img src="dummy-new.png" alt="A boat">`,
    files: { 'new.png': 'new' },
    state: {
      assets: { 'new.png': { clientUrl: 'dummy-new.png' } },
      big: Array.from({ length: 30 }, (_, at) => ({ at })),
    },
  })
  await post(save.body, save.headers)
  const page = { site: 'acme', materialId: 'harbour', offset: 0, limit: 10 }
  const timeline = await versionCalls.queryVersions(page)
  expect(timeline).toMatchObject({
    total: 2,
    rows: [
      { versionId: 'harbour-2', current: true, change: { pageChanged: true, mediaAdded: 1, mediaRemoved: 1 } },
      { versionId: 'harbour-1', current: false, change: null },
    ],
  })
  const ref = { site: 'acme', materialId: 'harbour', versionId: 'harbour-2' }
  const marks = {
    pinned: true,
    tags: ['final'],
    note: 'Looks good',
    verdict: { decision: 'approved', reason: 'go' },
  } as const
  const marked = versionIn('acme', 'harbour', 'harbour-2')
  expect(await calls.setFields({ ...marked, set: { ...marks, tags: ['final'] } })).toEqual({ ok: true, value: null })
  expect(await versionCalls.queryVersions(page)).toMatchObject({
    rows: [
      {
        pinned: true,
        tags: ['final'],
        note: 'Looks good',
        verdict: { decision: 'approved', reason: 'go', baseline: null },
      },
      {},
    ],
  })
  expect(await calls.findMaterial({ site: 'acme', materialId: 'harbour' })).toMatchObject({ status: 'approved' })
  await calls.setFields({ ...marked, set: { verdict: null } })
  expect(await calls.findMaterial({ site: 'acme', materialId: 'harbour' })).toMatchObject({ status: 'saved' })
  expect(changes()).toBe(2)

  const seen = await versionCalls.inspectVersion(ref)
  expect(seen).toMatchObject({
    ok: true,
    value: {
      callbackId: expect.any(String),
      exports: [],
    },
  })
  const { versionId: after, ...material } = ref
  const pair = { ...material, before: 'harbour-1', after }
  expect(await versionCalls.versionMedia(pair)).toMatchObject({
    ok: true,
    value: [
      { name: 'hero.png', kind: 'removed', before: { type: 'image/png', isEarlier: false }, after: null },
      { name: 'new.png', kind: 'added', before: null, after: { sizeBytes: 3, alts: ['A boat'] } },
    ],
  })
  expect(await versionCalls.versionMedia({ ...pair, before: null })).toMatchObject({
    value: [{ name: 'new.png', before: null }],
  })
  expect(await versionCalls.versionMedia({ ...pair, before: 'gone' })).toMatchObject({
    failure: { code: 'unknown_version' },
  })
  let whole = ''
  for (let offset: number | null = 0; offset !== null;) {
    const part = await versionCalls.readVersionText({ ...ref, part: 'html', offset, maxBytes: 1001 })
    if (!part.ok) throw new Error(part.failure.code)
    whole += part.value.text
    offset = part.value.nextOffset
  }
  expect(whole).toContain(text)
  const level = { ...ref, path: [] as (string | number)[], offset: 0, limit: 10 }
  expect(await versionCalls.readStateLevel(level)).toMatchObject({
    ok: true,
    value: {
      kind: 'object',
      total: 2,
      members: [
        { key: 'assets', kind: 'object', size: 1 },
        { key: 'big', size: 30 },
      ],
    },
  })
  expect(await versionCalls.readStateLevel({ ...level, path: ['big'], offset: 28 })).toMatchObject({
    value: { total: 30, members: [{ key: 28, preview: '{"at":28}' }, { key: 29 }] },
  })
  expect(await versionCalls.readStateLevel({ ...level, path: ['no', 'such'] })).toMatchObject({ ok: false })
  const value = { ...ref, path: ['big', 28], offset: 0, limit: 5 }
  expect(await versionCalls.readStateValue(value)).toMatchObject({
    value: { text: '{"at"', nextOffset: 5, totalChars: 9 },
  })
  expect(await versionCalls.readStateValue({ ...value, offset: 5, limit: 100 })).toMatchObject({
    value: { text: ':28}', nextOffset: null, totalChars: 9 },
  })
  expect(await versionCalls.readStateValue({ ...value, path: ['big', 30] })).toMatchObject({ ok: false })
  expect(await versionCalls.inspectVersion({ ...ref, versionId: 'gone' })).toMatchObject({
    failure: { code: 'unknown_version' },
  })
})

test('a repeated verdict keeps its time, and a different one is new', async () => {
  const { calls, galley } = await setUp()
  const ref = { site: 'acme', materialId: 'harbour', versionId: 'harbour-1' }
  const at = (day: number): string => `2026-11-0${day}T10:00:00.000Z`
  const told = (decision: 'approved' | 'changes_requested', reason: string, day: number, by = 'Ida') => {
    decide(galley.index, { ...ref, mayBeOld: true }, { decision, reason, by, at: at(day) })
    return galley.index.versionList.find(ref.site, ref.materialId, ref.versionId)?.verdict
  }
  expect(told('approved', '', 1)).toEqual(aVerdict('approved', '', at(1)))
  expect(told('approved', '', 2, 'Ada')).toEqual(aVerdict('approved', '', at(1)))
  expect(told('approved', 'go', 3)).toEqual(aVerdict('approved', 'go', at(3)))
  expect(told('approved', '', 3, 'Ada')).toEqual(aVerdict('approved', 'go', at(3)))
  expect(told('changes_requested', 'go', 4)).toEqual(aVerdict('changes_requested', 'go', at(4)))
  await calls.setFields({ ...versionIn('acme', 'harbour', 'harbour-1'), set: { verdict: null } })
  expect(galley.index.versionList.find(ref.site, ref.materialId, ref.versionId)).toMatchObject({ verdict: null })
  const decisions = galley.index.versionList.decisions(ref.site, ref.materialId)
  expect(decisions.map(({ decision, reason }) => [decision, reason])).toEqual([
    ['cleared', ''],
    ['changes_requested', 'go'],
    ['approved', 'go'],
    ['approved', ''],
  ])
})

import { expect, it } from 'vitest'

import type { Change } from '../../../packages/library/views/changes.ts'
import type { ReviewQuery } from '../../../packages/library/views/review.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

// What the inbox says of stored pages: compared in the background, and approved by a rule only when it has both answers.

const query: ReviewQuery = {
  site: 'acme',
  states: ['new', 'changed', 'changes_requested'],
  order: 'oldest',
  offset: 0,
  limit: 10,
}

async function aLibrary() {
  const made = await createTestGalley()
  const { galley, know, post, service } = made
  await know('post-1')
  let at = 0
  const save = async (html: string): Promise<string> => {
    at += 1
    const versionId = `v${at}`
    const versionCdate = new Date(Date.UTC(2026, 10, at)).toISOString()
    const { body, headers } = aSave(service, { versionId, versionCdate, html })
    expect((await post(body, headers)).json.rc).toBe(1)
    return versionId
  }
  const approve = (versionId: string) =>
    galley.index.commit.write(() =>
      galley.index.fields.set('version', 'acme', [{ materialId: 'post-1', versionId }], {
        verdict: { decision: 'approved', by: 'Ida', at: '2026-11-20T10:00:00.000Z', reason: '', baseline: null },
      }),
    )
  const verdict = () => {
    const row = galley.reviewing.queue({ ...query, states: ['new', 'changed', 'approved'] }).rows[0]
    return row?.verdict && [row.verdict.by, row.verdict.rule, row.verdict.baseline]
  }
  return { galley, save, approve, verdict }
}

const page = (text: string) => `<article><h1>Trains</h1><p>${text}</p></article>`

it('lists pages at once, and says what changed when it is known', async () => {
  const { galley, save, approve } = await aLibrary()
  const first = await save(page('They run at night.'))
  await approve(first)
  const second = await save(page('They run at noon.'))
  const compared = new Promise<Change>((resolve) => {
    const stop = galley.changes.watch((change) => {
      if (change.subjects.length > 1 || change.subjects[0] !== 'comparisons') return
      stop()
      resolve(change)
    })
  })
  const before = galley.reviewing.queue(query)
  expect(before).toMatchObject({ total: 1, failed: [], rows: [{ state: 'changed', summary: null }] })
  expect(before.counts).toEqual({ new: 0, changed: 1, approved: 0, changes_requested: 0 })
  galley.reviewing.compareLater([{ site: 'acme', materialId: 'post-1' }])
  expect(await compared).toMatchObject({ materials: [{ site: 'acme', materialId: 'post-1' }] })
  const [row] = galley.reviewing.queue({ ...query, site: null }).rows
  expect(galley.reviewing.row('acme', 'post-1')).toEqual(row)
  expect(row).toMatchObject({
    baseline: { versionId: first, number: 1 },
    version: { versionId: second, number: 2 },
    summary: { changes: 1, words: { added: 1, removed: 1 }, isUnchanged: false, looksEqual: null },
  })
  expect(row?.summary?.facts[0]).toMatchObject({ kind: 'edited', place: 'standfirst' })
})

it('compares two versions, with their places and checks', async () => {
  const { galley, save } = await aLibrary()
  const first = await save(page('The trains run at night, as the <a href="#map">map</a> says.'))
  const second = await save(page('The trains run at noon, as the <a href="#map">map</a> says.<img src="gone.png">'))
  const pair = { site: 'acme', materialId: 'post-1', from: first, to: second }
  const compared = await galley.reviewing.compare(pair)
  expect(compared).toMatchObject({ ok: true, value: { from: first, to: second, isUnchanged: false } })
  if (!compared.ok) return
  const [edited] = compared.value.changes
  expect(edited).toMatchObject({ kind: 'edited', from: [{ path: [1, 0, 1] }], to: [{ path: [1, 0, 1] }] })
  expect(compared.value.checks.map(({ kind, what, isNew }) => [kind, what, isNew])).toEqual([
    ['broken', '#map', false],
    ['alt', 'gone.png', true],
    ['broken', 'gone.png', true],
  ])
  expect(await galley.reviewing.compare({ ...pair, to: 'none' })).toEqual({
    ok: false,
    failure: { code: 'unknown_version', versionId: 'none' },
  })
})

it('approves by rule only what reads and looks the same, and says so', async () => {
  const { galley, save, approve, verdict } = await aLibrary()
  const looked = (from: string | null, to: string, isEqual = true) =>
    galley.reviewing.looked({ site: 'acme', materialId: 'post-1', from, to }, isEqual)
  galley.index.fields.set('site', 'acme', [{}], { approveUnchanged: true })
  const first = await save(page('They run.'))
  // Never a first version.
  await looked(null, first)
  expect(verdict()).toBe(null)
  await approve(first)
  const second = await save(page('They run.'))
  await looked(first, second, false)
  expect(verdict()).toBe(null)
  galley.index.fields.set('site', 'acme', [{}], { approveUnchanged: false })
  await looked(first, second)
  expect(verdict()).toBe(null)
  galley.index.fields.set('site', 'acme', [{}], { approveUnchanged: true })
  await looked(first, second)
  expect(verdict()).toEqual(['Galley', 'unchanged', first])
  // Pictures that are equal do not hide another address of a link.
  const third = await save(page('They <a href="https://other.test/">run</a>.'))
  await looked(second, third)
  expect(verdict()).toBe(null)
  // An answer about another pair approves nothing.
  await looked(first, third)
  expect(verdict()).toBe(null)
})

it('approves together what has no visible change, never a first version nor an answer, and not for who saved it', async () => {
  const { galley, save, approve, verdict } = await aLibrary()
  const { index, reviewing } = galley
  const looked = (from: string | null, to: string, isEqual = true) =>
    reviewing.looked({ site: 'acme', materialId: 'post-1', from, to }, isEqual)
  const unchanged = () => reviewing.queue({ ...query, site: null }).unchanged
  const approveAll = async (by = 'Ida') =>
    (await reviewing.approveUnchanged('acme', by)).map(({ version }) => version.versionId)
  const first = await save(page('They run.'))
  await looked(null, first)
  expect([unchanged(), await approveAll()]).toEqual([0, []])
  await approve(first)
  const second = await save(page('They run.'))
  expect(unchanged(), 'pictures are not compared yet').toBe(0)
  await looked(first, second, false)
  expect([unchanged(), await approveAll()]).toEqual([0, []])
  await looked(first, second)
  expect(unchanged()).toBe(1)
  expect(reviewing.row('acme', 'post-1')?.summary).toMatchObject({ isUnchanged: true, looksEqual: true })
  index.fields.set('site', 'acme', [{}], { samePersonMayApprove: false })
  const { savedBy } = reviewing.row('acme', 'post-1') ?? {}
  expect(await approveAll(savedBy ?? '')).toEqual([])
  expect(await approveAll()).toEqual([second])
  expect(verdict()).toEqual(['Ida', undefined, first])
  expect(unchanged()).toBe(0)
  // Text that changed is seen, whatever the pictures say.
  const third = await save(page('They do not run.'))
  await looked(second, third)
  expect([unchanged(), await approveAll()]).toEqual([0, []])
  // What answers a request is read by a person.
  const asked = {
    decision: 'changes_requested',
    by: 'Ida',
    at: '2026-11-20T10:00:00.000Z',
    reason: 'x',
    baseline: null,
  } as const
  index.fields.set('version', 'acme', [{ materialId: 'post-1', versionId: third }], { verdict: asked })
  const fourth = await save(page('They run.'))
  await looked(second, fourth)
  expect([unchanged(), await approveAll()]).toEqual([0, []])
})

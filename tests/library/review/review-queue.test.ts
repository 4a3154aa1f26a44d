import { expect, it } from 'vitest'

import type { Index } from '../../../packages/library/db/library-index.ts'
import type { Release } from '../../../packages/library/records/release.ts'
import { asReadSite } from '../../../packages/library/review/baseline.ts'
import type { DecidedVersion } from '../../../packages/library/review/decide.ts'
import { decide } from '../../../packages/library/review/decide.ts'
import type { ReviewQuery } from '../../../packages/library/views/review.ts'
import { acme, aSnapshot, aVersion, openLibrary, sha, storeSnapshot, storeVersion } from '../db/sample.ts'

// Which pages wait for a decision, and what each is compared with.

const day = (at: number): string => `2026-11-${String(at).padStart(2, '0')}T10:00:00.000Z`

/** Version `id` of a material, saved on this day. */
const save = (index: Index, materialId: string, id: string, at: number, userEmail: string | null = null) =>
  storeVersion(index, aVersion(id, { materialId, versionCdate: day(at), receivedAt: day(at), userEmail }))

const settings = {
  place: { kind: 'folder', directory: '/srv/www' },
  publicUrl: null,
  compress: false,
  schedule: null,
} as const
const counts = { files: 1, added: 1, changed: 0, removed: 0, unchanged: 0, bytes: 1 }

function release(index: Index, target: string, at: number, pages: Readonly<Record<string, string>>): void {
  const shown: Release['pages'] = Object.entries(pages).map(([materialId, versionId]) => ({ materialId, versionId }))
  const facts = { id: `r${at}`, site: acme.id, target, at: day(at), record: sha(String(at)), counts, pages: shown }
  index.releases.add({ ...facts, rollbackOf: null, by: 'person', links: null })
}

const judge = (index: Index, version: Omit<DecidedVersion, 'site' | 'mayBeOld'>, over: object = {}) =>
  decide(
    index,
    { site: acme.id, mayBeOld: true, ...version },
    { decision: 'approved', by: 'Ida', at: day(20), reason: '', ...over },
  )

const waiting: Pick<ReviewQuery, 'states'> = { states: ['new', 'changed', 'changes_requested'] }
const rows = (index: Index, over: Partial<ReviewQuery> = {}) =>
  index.reviewQueue.page([asReadSite(index, acme.id)], { ...waiting, order: 'oldest', offset: 0, limit: 100, ...over })
    .rows
const states = (index: Index, over: Partial<ReviewQuery> = {}) =>
  rows(index, over).map(({ materialId, state, baseline, since }) => [
    materialId,
    state,
    baseline?.versionId ?? null,
    Number(since.slice(8, 10)),
  ])

it('lists what waits, oldest first, until it is approved', async () => {
  const { index } = await openLibrary()
  save(index, 'late', 'l1', 9)
  save(index, 'early', 'e1', 2)
  expect(states(index)).toEqual([
    ['early', 'new', null, 2],
    ['late', 'new', null, 9],
  ])
  judge(index, { materialId: 'early', versionId: 'e1' })
  expect(states(index)).toEqual([['late', 'new', null, 9]])
  expect(states(index, { states: ['approved'] })).toEqual([['early', 'approved', 'e1', 20]])
  // Two saves after the approved one: it waits since the first of them.
  save(index, 'early', 'e2', 10)
  save(index, 'early', 'e3', 12)
  expect(states(index)).toEqual([
    ['late', 'new', null, 9],
    ['early', 'changed', 'e1', 10],
  ])
  index.fields.set('material', acme.id, [{ materialId: 'late' }], { archivedAt: day(13) })
  expect(states(index)).toEqual([['early', 'changed', 'e1', 10]])
  const counts = { new: 0, changed: 1, approved: 0, changes_requested: 0 }
  const page = { ...waiting, order: 'oldest', offset: 0, limit: 1 } as const
  expect(index.reviewQueue.page([asReadSite(index, acme.id)], page).counts).toEqual(counts)
})

it('compares with the approved version, otherwise with the one that readers see', async () => {
  const { index } = await openLibrary()
  for (const name of ['staging', 'www']) index.targets.put({ site: acme.id, name, ...settings })
  for (const at of [1, 2, 3]) save(index, 'post', `v${at}`, at)
  const baseline = () => states(index)[0]?.[2]
  expect(baseline()).toBe(null)
  release(index, 'www', 4, { post: 'v1' })
  expect(baseline()).toBe('v1')
  // The newest release counts, until a target is marked live.
  release(index, 'staging', 5, { post: 'v2' })
  expect(baseline()).toBe('v2')
  index.fields.set('site', acme.id, [{}], { liveTarget: 'www' })
  expect(baseline()).toBe('v1')
  // A page that only another target has is new to readers.
  save(index, 'draft', 'd1', 6)
  release(index, 'staging', 7, { post: 'v2', draft: 'd1' })
  expect(states(index, { states: ['new'] })).toEqual([['draft', 'new', null, 6]])
  judge(index, { materialId: 'post', versionId: 'v2' })
  expect(baseline()).toBe('v2')
  judge(index, { materialId: 'post', versionId: 'v2' }, { decision: 'cleared' })
  expect(baseline()).toBe('v1')
  // What readers see already waits for nobody.
  release(index, 'www', 8, { post: 'v3' })
  expect(states(index, { states: ['changed'] })).toEqual([])
  expect(states(index, { states: ['approved'] })).toEqual([['post', 'approved', 'v3', 8]])
  index.targets.remove(acme.id, 'www')
  expect(baseline()).toBe('v2')
})

it('says that a newer version answers what was requested', async () => {
  const { index } = await openLibrary()
  save(index, 'post', 'v1', 1)
  judge(index, { materialId: 'post', versionId: 'v1' })
  save(index, 'post', 'v2', 2)
  const reason = 'Name the quay'
  judge(index, { materialId: 'post', versionId: 'v2' }, { decision: 'changes_requested', reason, at: day(3) })
  expect(states(index)).toEqual([['post', 'changes_requested', 'v1', 3]])
  expect(rows(index)[0]).toMatchObject({ verdict: { by: 'Ida', reason, baseline: 'v1' }, answers: null })
  save(index, 'post', 'v3', 5)
  // It waits for the reviewer since it was answered.
  expect(states(index)).toEqual([['post', 'changed', 'v1', 5]])
  const answers = { versionId: 'v2', number: 2, by: 'Ida', at: day(3), reason }
  expect(rows(index)[0]).toMatchObject({ verdict: null, answers, version: { versionId: 'v3', number: 3 } })
})

it('keeps in a decision what was compared', async () => {
  const { index } = await openLibrary()
  for (const at of [1, 2, 3]) save(index, 'post', `v${at}`, at)
  const decided = () =>
    index.versionList.decisions(acme.id, 'post').map(({ versionId, baseline }) => [versionId, baseline])
  judge(index, { materialId: 'post', versionId: 'v2' })
  judge(index, { materialId: 'post', versionId: 'v3' })
  // A decision about an older version does not compare it with a newer one.
  judge(index, { materialId: 'post', versionId: 'v1' })
  expect(decided()).toEqual([
    ['v1', null],
    ['v3', 'v2'],
    ['v2', null],
  ])
  // Approving what is approved changes nothing.
  judge(index, { materialId: 'post', versionId: 'v3' }, { by: 'Ada' })
  expect(decided()).toHaveLength(3)
  expect(states(index, { states: ['approved'] })).toEqual([['post', 'approved', 'v3', 20]])
})

it('orders by writer and by how much changed, and takes parts', async () => {
  const { index } = await openLibrary()
  save(index, 'a', 'a1', 1, 'zoe@acme.test')
  save(index, 'b', 'b1', 2)
  save(index, 'c', 'c1', 3, 'ann@acme.test')
  const order = (by: ReviewQuery['order'], over: Partial<ReviewQuery> = {}) =>
    rows(index, { order: by, ...over }).map(({ materialId }) => materialId)
  expect(order('oldest')).toEqual(['a', 'b', 'c'])
  expect(order('writer')).toEqual(['c', 'a', 'b'])
  expect(order('oldest', { offset: 1, limit: 1 })).toEqual(['b'])
  const words = { added: 5, removed: 0 }
  for (const { pair, materialId } of rows(index))
    if (materialId !== 'a')
      index.comparisons.put(pair, { facts: [], changes: materialId === 'b' ? 1 : 2, words }, false)
  expect(order('size')).toEqual(['c', 'b', 'a'])
  expect(rows(index).map(({ summary }) => summary?.changes ?? null)).toEqual([null, 1, 2])
})

it('remembers a comparison by the hashes of both versions and of their fonts', async () => {
  const { index } = await openLibrary()
  save(index, 'post', 'v1', 1)
  judge(index, { materialId: 'post', versionId: 'v1' })
  storeSnapshot(index, aSnapshot('s1', { receivedAt: day(2) }))
  save(index, 'post', 'v2', 3)
  const [row] = rows(index)
  expect(row?.pair).toEqual({ before: `${sha('archive v1')} `, after: `${sha('archive v2')} ${sha('archive s1')}` })
  if (row === undefined) return
  const summary = { facts: [{ kind: 'fonts' as const }], changes: 0, words: { added: 0, removed: 0 } }
  index.comparisons.put(row.pair, summary, false)
  expect(rows(index)[0]?.summary).toEqual({ ...summary, isUnchanged: false, looksEqual: null })
  index.comparisons.look(row.pair, true)
  expect(rows(index)[0]?.summary?.looksEqual).toBe(true)
  // What is known of its looks was found with other parts left out.
  const part = { versionId: 'v1', blocks: [{ path: [1, 0], run: null }], label: 'Clock' }
  index.fields.set('material', acme.id, [{ materialId: 'post' }], { ignored: [part] })
  expect(rows(index)[0]?.summary).toBeNull()
  index.fields.set('material', acme.id, [{ materialId: 'post' }], { ignored: [] })
  expect(rows(index)[0]?.summary?.looksEqual).toBe(true)
})

it('counts a decision that waits for the bucket of a team', async () => {
  const { index, other } = await openLibrary()
  save(index, 'post', 'v1', 1)
  const verdict = { decision: 'approved', by: 'Ida', at: day(2), reason: '', baseline: null }
  const wait = other.prepare(
    `INSERT INTO local.waiting_mark (site, material_id, version_id, field, seen, wanted, at, position)
     VALUES ('acme', 'post', 'v1', 'verdict', '[]', ?, ?, 1)`,
  )
  wait.run(JSON.stringify(verdict), day(2))
  expect(states(index)).toEqual([])
  expect(states(index, { states: ['approved'] })).toEqual([['post', 'approved', 'v1', 2]])
})

it('knows the newest decision of a person that still holds, and what held before it', async () => {
  const { index } = await openLibrary()
  save(index, 'post', 'v1', 1)
  save(index, 'note', 'n1', 2)
  const last = (by = 'Ida') => {
    const { materialId, given, before } = index.versionList.lastBy(by, acme.id) ?? {}
    return [materialId, given?.decision, before?.decision ?? null]
  }
  const nothing = [undefined, undefined, null]
  expect(last()).toEqual(nothing)
  judge(index, { materialId: 'post', versionId: 'v1' }, { decision: 'changes_requested', reason: 'x' })
  judge(index, { materialId: 'post', versionId: 'v1' })
  judge(index, { materialId: 'note', versionId: 'n1' })
  judge(index, { materialId: 'note', versionId: 'n1' }, { by: 'Ada', reason: 'fine' })
  // That of somebody else holds for the note.
  expect(last()).toEqual(['post', 'approved', 'changes_requested'])
  expect(last('Ada')).toEqual(['note', 'approved', 'approved'])
  judge(index, { materialId: 'post', versionId: 'v1' }, { decision: 'cleared' })
  expect(last()).toEqual(nothing)
  judge(index, { materialId: 'post', versionId: 'v1' })
  expect(last()).toEqual(['post', 'approved', null])
  expect(index.versionList.lastBy('Ida', 'other')).toBe(null)
})

it('does not let who saved a version approve it where the rules say so', async () => {
  const { index } = await openLibrary()
  save(index, 'post', 'v1', 1, 'ida.berg@acme.test')
  index.fields.set('site', acme.id, [{}], { samePersonMayApprove: false })
  const by = (name: string, decision = 'approved') =>
    judge(index, { materialId: 'post', versionId: 'v1' }, { by: name, decision, reason: 'x' })
  const refused = { ok: false, failure: 'same_person' }
  for (const name of ['Ida Berg', 'berg ida', 'IDA.BERG@acme.test', 'Ida <ida.berg@acme.test>'])
    expect(by(name), name).toEqual(refused)
  expect(by('Ida Berg', 'changes_requested').ok).toBe(true)
  expect(by('Ida').ok).toBe(true)
})

it('lists what is there now after every change: a comparison, a picture, and what another process wrote', async () => {
  const { index, other } = await openLibrary()
  for (const [at, name] of ['a', 'b'].entries()) save(index, name, `${name}1`, at + 1)
  for (const name of ['a', 'b']) judge(index, { materialId: name, versionId: `${name}1` })
  for (const [at, name] of ['a', 'b'].entries()) save(index, name, `${name}2`, at + 5)
  const bySize = () => rows(index, { order: 'size' }).map(({ materialId }) => materialId)
  const equal = () => index.reviewQueue.lookEqual([asReadSite(index, acme.id)]).map(({ materialId }) => materialId)
  expect([bySize(), equal()]).toEqual([['a', 'b'], []])
  const pair = rows(index)[1]?.pair ?? { before: '', after: '' }
  index.comparisons.put(pair, { facts: [], changes: 9, words: { added: 4, removed: 0 } }, false)
  expect(bySize()).toEqual(['b', 'a'])
  index.comparisons.look(pair, true)
  expect(equal()).toEqual(['b'])
  expect(states(index).map(([materialId]) => materialId)).toEqual(['a', 'b'])
  other.exec(`UPDATE material SET archived_at = '${day(9)}' WHERE material_id = 'a'`)
  expect(states(index).map(([materialId]) => materialId)).toEqual(['b'])
})

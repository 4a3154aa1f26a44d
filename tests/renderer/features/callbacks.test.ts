import { beforeEach, describe, expect, it } from 'vitest'

import type { SignatureFinding } from '../../../packages/library/views/callbacks.ts'
import { fail } from '../../../packages/wire/result.ts'
import { createBatch } from '../../../src/renderer/features/callbacks/batch-store.ts'
import { hasSameOutcome } from '../../../src/renderer/features/callbacks/comparison.tsx'
import { findingText } from '../../../src/renderer/features/callbacks/findings.tsx'
import { everything } from '../../../src/renderer/features/callbacks/question.ts'
import { shownMembers } from '../../../src/renderer/features/callbacks/request.tsx'
import { waterfall, withUnaccounted } from '../../../src/renderer/features/callbacks/steps.tsx'
import { createCallbacks } from '../../../src/renderer/features/callbacks/store.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { aCallback, refusedOver, sampleData } from '../support/sample-data.ts'
import { emptyStorage } from '../support/services.ts'
import { settled } from '../support/settled.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

beforeEach(() => void emptyStorage())

/** A list of nine callbacks that a tenth can reach. */
async function started() {
  const fake = createFakeBridge(nowMs, sampleData(nowMs))
  const { list, callbackRows } = createCallbacks(fake.bridge)
  list.getState().show('magazine')
  await settled()
  const arrive = async (number: number, over = {}): Promise<void> => {
    fake.library.callbacks = [aCallback(nowMs, number, 0, over), ...fake.library.callbacks]
    fake.push('changed', { subjects: ['callbacks'] })
    await settled()
  }
  const first = (): string | undefined => callbackRows.getState().rows.get(0)?.id
  return { fake, list, callbackRows, arrive, first }
}

describe('the list', () => {
  it('follows new callbacks while none is selected', async () => {
    const { list, callbackRows, arrive, first } = await started()
    await arrive(90)
    expect(first()).toBe('c00090')
    expect(callbackRows.getState().total).toBe(10)
    expect(list.getState().newer).toBe(0)
  })

  it('holds while a callback is selected, counts new ones, and shows them on request', async () => {
    const { list, callbackRows, arrive, first } = await started()
    list.getState().hold('c00006')
    await arrive(90)
    await arrive(91)
    expect(first()).toBe('c00007')
    expect(callbackRows.getState().total).toBe(9)
    expect(list.getState().newer).toBe(2)
    await list.getState().showNew()
    expect(first()).toBe('c00091')
    expect(list.getState().newer).toBe(0)
    await arrive(92)
    expect(first()).toBe('c00091')
  })

  it('shows a callback selected from elsewhere, even if it arrived after the list was held', async () => {
    const { list, arrive, first } = await started()
    list.getState().hold('c00006')
    await arrive(90)
    list.getState().hold('c00090')
    await settled()
    expect(first()).toBe('c00090')
  })

  it('drops an answer to an older query', async () => {
    const { fake, list, callbackRows } = await started()
    const { queryCallbacks } = fake.answers
    fake.answers.queryCallbacks = async (query) => {
      if (query.filters.outcomes.length === 0) await settled()
      return (await queryCallbacks?.(query)) ?? { total: 0, rows: [], upTo: 0, newer: 0 }
    }
    const reading = list.getState().reload()
    list.getState().ask({ outcomes: ['rejected'] })
    await reading
    await settled()
    expect(callbackRows.getState().total).toBe(1)
  })

  it('persists its filters and sort, but not the search text', async () => {
    const { fake, list } = await started()
    const sort = { by: 'duration', direction: 'down' } as const
    list.getState().ask({ outcomes: ['failed'], text: 'harbour', when: { kind: 'last', span: 'week' }, sort })
    const next = createCallbacks(fake.bridge).list.getState().question
    expect(next).toEqual({ ...everything, outcomes: ['failed'], when: { kind: 'last', span: 'week' }, sort })
  })

  it('reads the ids of rows that are not loaded', async () => {
    const { list } = await started()
    expect(await list.getState().readIds(1, 2)).toEqual(['c00006', 'c00016'])
  })
})

describe('a replay of several', () => {
  it('starts a dry run at once, and a replay only after confirmation', async () => {
    const fake = createFakeBridge(nowMs, sampleData(nowMs))
    const asked: boolean[] = []
    fake.answers.replayCallbacks = ({ isDryRun }) => {
      asked.push(isDryRun)
      return { ok: true, value: { task: 't1' } }
    }
    fake.answers.listTasks = () => []
    const batch = createBatch(fake.bridge)
    batch.getState().ask(['c1', 'c2'], false)
    await settled()
    expect(asked).toEqual([])
    await batch.getState().start()
    expect(asked).toEqual([false])
    batch.getState().ask(['c1', 'c2'], true)
    await settled()
    expect(asked).toEqual([false, true])
  })

  it('never shows the result of an earlier one', async () => {
    const fake = createFakeBridge(nowMs, sampleData(nowMs))
    const answered = Promise.withResolvers<void>()
    fake.answers.replayCallback = async () => {
      await answered.promise
      return fail({ code: 'unexpected' })
    }
    const batch = createBatch(fake.bridge)
    batch.getState().ask(['c1'], true)
    batch.getState().close()
    batch.getState().ask(['c2'], false)
    answered.resolve()
    await settled()
    expect(batch.getState().replay).toMatchObject({ ids: ['c2'], view: null })
  })
})

const stored = { outcome: 'stored', code: null, rm: 'Saved successfully', versionId: 'v1' } as const
const compared = (before: object, after: object) =>
  hasSameOutcome({
    id: 'c1',
    isDryRun: true,
    before: { ...stored, ...before },
    after: { ...stored, ...after },
  })

it('a duplicate has the same outcome as the stored save', () => {
  expect(compared({}, { outcome: 'duplicate' })).toBe(true)
  expect(compared({}, { versionId: 'v2' })).toBe(false)
  expect(compared({}, { outcome: 'refused', code: 'refused', versionId: null })).toBe(false)
  expect(
    compared({ outcome: 'rejected', code: 'invalid_archive' }, { outcome: 'rejected', code: 'missing_asset' }),
  ).toBe(false)
})

it('signed members come first and are marked, long values are cut, and a body that is not an object has none', () => {
  const body = JSON.stringify({
    event: 'article_saved',
    metadata: { a: 1 },
    material_id: 'm',
    content_url: 'https://x',
  })
  const members = shownMembers(body, ['material_id', 'content_url'])
  expect(members?.map(({ name, isSigned }) => [name, isSigned])).toEqual([
    ['material_id', true],
    ['content_url', true],
    ['event', false],
    ['metadata', false],
  ])
  const [long] = shownMembers(JSON.stringify({ a: 'x'.repeat(30_000) }), []) ?? []
  expect(long).toMatchObject({ wholeLength: 30_000 })
  expect(long?.value).toHaveLength(20_000)
  for (const body of ['[1]', 'null', '{', '"text"']) expect(shownMembers(body, []), body).toBeNull()
})

it('every finding of the signature doctor is a complete sentence in both languages', () => {
  const findings: readonly SignatureFinding[] = [
    { code: 'not_a_signature', length: 63 },
    { code: 'other_site_secret', site: 'city' },
    { code: 'changed_url', how: 'trailing_slash' },
    { code: 'changed_material', how: 'case' },
    { code: 'secret_unavailable', site: 'city' },
    { code: 'wrong_secret' },
  ]
  for (const language of ['en', 'ru'] as const) {
    const t = createTexts(language).getFixedT(language, 'doctor')
    for (const finding of findings) {
      const text = findingText(finding, t)
      expect(text).not.toMatch(/\{\{|findings\./)
      if ('site' in finding) expect(text).toContain('city')
    }
  }
})

describe('the waterfall', () => {
  const steps = [
    { name: 'verify', ms: 25 },
    { name: 'download', ms: 75 },
  ]
  it('starts each bar where the previous one ended, and marks the slowest', () => {
    const { bars, budgetPercent } = waterfall(steps, 30_000)
    expect(bars).toMatchObject([
      { startPercent: 0, widthPercent: 25, isSlowest: false },
      { startPercent: 25, widthPercent: 75, isSlowest: true },
    ])
    expect(budgetPercent).toBeNull()
    expect(waterfall(aCallback(nowMs, 1, 0, refusedOver).steps, 30_000).bars).toHaveLength(2)
  })

  it('adds the unaccounted time, so that the steps sum up to the callback', () => {
    expect(withUnaccounted(steps, 211)).toEqual([...steps, { name: 'other', ms: 111 }])
    expect(withUnaccounted(steps, 104), 'too little to look at').toEqual(steps)
    expect(withUnaccounted([], 211)).toEqual([])
  })

  it('handles steps that took no time, and no steps at all', () => {
    expect(waterfall([], 30_000).bars).toEqual([])
    expect(waterfall([{ name: 'a', ms: 0 }], 30_000).bars).toMatchObject([{ widthPercent: 0, isSlowest: false }])
  })

  it('shows the end of the time budget once it is near, and the time beyond it', () => {
    expect(waterfall(steps, 400)).toMatchObject({ budgetPercent: 100, bars: [{ widthPercent: 6.25 }, {}] })
    expect(waterfall(steps, 401).budgetPercent).toBeNull()
    expect(waterfall(steps, 50)).toMatchObject({ budgetPercent: 50, bars: [{}, { widthPercent: 75 }] })
  })
})

import { expect, test } from 'vitest'

import type { Verdict } from '../../../packages/library/records/fields.ts'
import type { WantedVerdict } from '../../../packages/library/records/fields.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import type { ReviewVersion } from '../../../src/ipc/review-window.ts'
import type { ReviewBridge } from '../../../src/renderer/review/bridge.ts'
import { choicesOf, newerVersion, reasonOf } from '../../../src/renderer/review/state.ts'
import { createReviewStore } from '../../../src/renderer/review/store.ts'
import { settled } from '../support/settled.ts'

const aVersion = (versionId: string, verdict: Verdict | null = null): ReviewVersion => ({
  versionId,
  number: Number(versionId.slice(1)),
  versionCdate: '2026-11-21T12:00:00Z',
  receivedAt: '2026-11-21T12:00:00Z',
  userEmail: 'anna@press.example',
  mediaCount: 0,
  sizeBytes: 0,
  htmlSha256: 'a'.repeat(64) as Sha256,
  current: false,
  verdict,
})

/** A review of v3 compared with v1, in a library whose versions, newest first, can be changed. */
async function aReview() {
  let ids = ['v3', 'v2', 'v1']
  let tell = (): void => undefined
  const verdicts = new Map<string, Verdict>()
  const judged: WantedVerdict[] = []
  const answers: Readonly<Record<string, () => unknown>> = {
    readReview: () => ({
      site: 'press',
      materialId: 'story',
      siteName: 'Press',
      environment: null,
      title: 'Story',
      versionId: 'v2',
      compareWith: 'v1',
      versions: ids.map((id, place) => ({ ...aVersion(id, verdicts.get(id)), current: place === 0 })),
    }),
    showPage: () => ({ missing: [] }),
  }
  const bridge = {
    call: (name: string, input: { readonly versionId: string; readonly verdict: WantedVerdict }) => {
      if (name === 'judgeVersion') {
        judged.push(input.verdict)
        if (input.verdict === null) verdicts.delete(input.versionId)
        else verdicts.set(input.versionId, { ...input.verdict, by: 'Ida', at: '2026-11-21T12:00:00Z', baseline: null })
        tell()
      }
      return Promise.resolve({ ok: true, value: answers[name]?.() })
    },
    on(name: string, told: () => void) {
      if (name === 'changed') tell = told
      return () => undefined
    },
  } as unknown as ReviewBridge
  const store = createReviewStore(bridge)
  await store.getState().load()
  return {
    store,
    judged,
    verdictOf: (id: string) => verdicts.get(id) ?? null,
    /** The visible versions: the active one, the other one, and whether one is reported as deleted. */
    look() {
      const { view, at, against, isGone } = store.getState()
      const versions = view.kind === 'ready' ? view.review.versions : []
      return [versions[at]?.versionId, against === null ? null : versions[against]?.versionId, isGone]
    },
    async change(...next: string[]): Promise<void> {
      ids = next
      tell()
      await settled()
    },
  }
}

test('new versions do not change the visible ones', async () => {
  const { look, change } = await aReview()
  await change('v4', 'v3', 'v2', 'v1')
  expect(look()).toEqual(['v2', 'v1', false])
})

test('the deletion of a visible version is reported until another one is chosen', async () => {
  const { store, look, change } = await aReview()
  await change('v3', 'v1')
  expect(look()).toEqual(['v3', 'v1', true])
  await change('v3', 'v1')
  expect(look(), 'read again').toEqual(['v3', 'v1', true])
  store.getState().toggleCompare()
  expect(look()[2]).toBe(false)
})

test('deleting a compared version ends the comparison', async () => {
  const { look, change } = await aReview()
  await change('v3', 'v2')
  expect(look()).toEqual(['v2', null, true])
})

test('no version is compared with itself', async () => {
  const { store, look, change } = await aReview()
  const { choose, activate } = store.getState()
  choose('right', 0)
  choose('left', 1)
  activate('left')
  expect(look()).toEqual(['v2', 'v3', false])
  await change('v3', 'v1')
  expect(look()).toEqual(['v3', null, true])
})

test('each pane shows its chosen version, and the older one stays on the left', async () => {
  const { store, look } = await aReview()
  const { choose } = store.getState()
  choose('left', 0)
  choose('left', 1)
  choose('right', 2)
  expect(look(), 'what would turn the two round').toEqual(['v2', 'v1', false])
  choose('right', 0)
  expect(look()).toEqual(['v3', 'v1', false])
  choose('left', 1)
  expect(look()).toEqual(['v3', 'v2', false])
  expect(choicesOf(store.getState(), 'left', 3)).toEqual({ first: 1, last: 2 })
  expect(choicesOf(store.getState(), 'right', 3)).toEqual({ first: 0, last: 0 })
})

test('a reason being typed keeps its version active, and reappears with that version', async () => {
  const { store, look } = await aReview()
  const { activate, askReason, typeReason } = store.getState()
  askReason()
  typeReason('cut the end')
  activate('left')
  expect([look()[0], store.getState().isRejecting], 'a look at the other page').toEqual(['v2', true])
  activate('left', true)
  expect([look()[0], reasonOf(store.getState())], 'a button of the other version').toEqual(['v1', ''])
  activate('right')
  expect(reasonOf(store.getState())).toBe('cut the end')
})

test('a change of the library leaves the form for a reason and the sheet of shortcuts open, unless their version is gone', async () => {
  const { store, change } = await aReview()
  store.getState().askReason()
  store.getState().toggleSheet()
  await change('v4', 'v3', 'v2', 'v1')
  expect([store.getState().isRejecting, store.getState().isSheetShown]).toEqual([true, true])
  await change('v4', 'v3', 'v1')
  expect([store.getState().isRejecting, store.getState().isSheetShown]).toEqual([false, false])
})

test('keys and buttons set a decision and never clear it; clearing can be undone with its reason', async () => {
  const { store, judged, verdictOf } = await aReview()
  const { approve, askReason, typeReason, reject, clearVerdict, undoVerdict } = store.getState()
  const rejected = { decision: 'changes_requested', reason: 'Name the quay.' }
  askReason()
  typeReason('Name the quay.')
  reject()
  await settled()
  expect(verdictOf('v2')).toMatchObject(rejected)

  // The same key again opens the reason for editing.
  askReason()
  await settled()
  expect([store.getState().isRejecting, reasonOf(store.getState())]).toEqual([true, 'Name the quay.'])
  typeReason('Name the quay and the year.')
  reject()
  await settled()
  expect(verdictOf('v2')).toMatchObject({ reason: 'Name the quay and the year.' })
  undoVerdict()
  await settled()
  expect([verdictOf('v2'), store.getState().undo]).toMatchObject([rejected, null])

  approve()
  await settled()
  expect(verdictOf('v2')).toMatchObject({ decision: 'approved' })
  const given = judged.length
  approve()
  await settled()
  expect(judged.length, 'approving what is approved').toBe(given)
  undoVerdict()
  await settled()
  expect(verdictOf('v2')).toMatchObject(rejected)

  clearVerdict()
  await settled()
  expect(verdictOf('v2')).toBeNull()
  undoVerdict()
  await settled()
  expect(verdictOf('v2')).toMatchObject(rejected)
})

test('a version that came after the window was opened is reported until it is shown', async () => {
  const { store, look, change } = await aReview()
  expect(newerVersion(store.getState()), 'an old version was opened on purpose').toBeNull()
  await change('v4', 'v3', 'v2', 'v1')
  expect(newerVersion(store.getState())).toBe(0)
  store.getState().showCurrent()
  expect([look()[0], newerVersion(store.getState())]).toEqual(['v4', null])
})

import { expect, test } from 'vitest'

import type { Sha256 } from '../../../src/contract/ids.ts'
import type { ReviewVersion } from '../../../src/contract/ipc/review-window.ts'
import type { ReviewBridge } from '../../../src/renderer/review/bridge.ts'
import { choicesOf, reasonOf } from '../../../src/renderer/review/state.ts'
import { createReviewStore } from '../../../src/renderer/review/store.ts'
import { settled } from '../support/settled.ts'

const aVersion = (versionId: string): ReviewVersion => ({
  versionId,
  number: Number(versionId.slice(1)),
  versionCdate: '2026-11-21T12:00:00Z',
  receivedAt: '2026-11-21T12:00:00Z',
  userEmail: 'anna@press.example',
  mediaCount: 0,
  sizeBytes: 0,
  htmlSha256: 'a'.repeat(64) as Sha256,
  current: false,
  verdict: null,
})

/** A review of v3 compared with v1, in a library whose versions, newest first, can be changed. */
async function aReview() {
  let ids = ['v3', 'v2', 'v1']
  let tell = (): void => undefined
  const answers: Readonly<Record<string, () => unknown>> = {
    readReview: () => ({
      site: 'press',
      materialId: 'story',
      siteName: 'Press',
      environment: null,
      title: 'Story',
      versionId: 'v2',
      compareWith: 'v1',
      versions: ids.map(aVersion),
    }),
    showPage: () => ({ missing: [] }),
  }
  const bridge = {
    call: (name: string) => Promise.resolve({ ok: true, value: answers[name]?.() }),
    on(name: string, told: () => void) {
      if (name === 'changed') tell = told
      return () => undefined
    },
  } as unknown as ReviewBridge
  const store = createReviewStore(bridge)
  await store.getState().load()
  return {
    store,
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
  const { activate, toggleRejected, typeReason } = store.getState()
  toggleRejected()
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
  store.getState().toggleRejected()
  store.getState().toggleSheet()
  await change('v4', 'v3', 'v2', 'v1')
  expect([store.getState().isRejecting, store.getState().isSheetShown]).toEqual([true, true])
  await change('v4', 'v3', 'v1')
  expect([store.getState().isRejecting, store.getState().isSheetShown]).toEqual([false, false])
})

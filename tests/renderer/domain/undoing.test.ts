import { expect, it } from 'vitest'

import type { Bridge } from '../../../src/ipc/calls.ts'
import type { Services } from '../../../src/renderer/domain/services.ts'
import { offeringUndo } from '../../../src/renderer/domain/undoing.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { settled } from '../support/settled.ts'

// Decisions and deletions that can be undone offer it, from whichever screen they were made.

type Offer = { readonly title: string; readonly actionProps: { readonly onClick: () => void } }

function aWindow(answers: Readonly<Record<string, unknown>> = {}) {
  const made: unknown[] = []
  const offers: Offer[] = []
  const read = new Set(['savePauses', 'readRules', 'readSettings', 'findMaterial'])
  const bridge = {
    call(name: string, input: { readonly materialId?: string }) {
      if (!read.has(name)) made.push([name, input])
      const known = answers[input?.materialId ?? name]
      return Promise.resolve(known ?? { ok: true, value: null })
    },
    on: () => () => undefined,
  } as unknown as Bridge
  const toasts = { add: (offer: Offer) => `${offers.push(offer)}`, close: () => undefined }
  const texts = createTexts('en')
  const { call } = offeringUndo(bridge, { texts, toasts } as unknown as Services)
  return {
    made,
    titles: () => offers.map(({ title }) => title),
    call: call as (name: string, input: unknown) => Promise<unknown>,
    async undo() {
      made.length = 0
      offers.at(-1)?.actionProps.onClick()
      await settled()
      return made
    },
  }
}

const since = '2026-11-01T10:00:00.000Z'
const rules = { ok: true, value: { site: { materials: [{ materialId: 'a', reason: 'Legal', since }] } } }
const materials = (of: readonly string[], set: object) => ({
  record: 'material',
  site: 's',
  of: of.map((materialId) => ({ materialId })),
  set,
})

it.each([
  [
    'settleComment',
    { thread: 't', isResolved: true },
    'Comment resolved',
    [['settleComment', { thread: 't', isResolved: false }]],
  ],
  [
    'settleComment',
    { thread: 't', isResolved: false },
    'Comment reopened',
    [['settleComment', { thread: 't', isResolved: true }]],
  ],
  ['pauseSaves', { site: 's', reason: 'x' }, 'Saves paused', [['resumeSaves', { site: 's' }]]],
  ['resumeSaves', { site: 's' }, 'Saves resumed', [['pauseSaves', { site: 's', reason: 'Election' }]]],
  ['resumeSaves', { site: null }, 'Saves resumed', [['pauseSaves', { site: null, reason: 'Storm' }]]],
  ['changeSettings', { shortcuts: {} }, 'Shortcuts reset', [['changeSettings', { shortcuts: { 'help.open': 'F1' } }]]],
  [
    'setFields',
    materials(['a', 'b'], { refused: null }),
    'Saves resumed',
    [
      ['setFields', materials(['a'], { refused: { reason: 'Legal', since } })],
      ['setFields', materials(['b'], { refused: null })],
    ],
  ],
  [
    'setFields',
    materials(['a', 'b'], { tags: { add: ['new'], remove: ['old'] } }),
    'Tags changed',
    [
      ['setFields', materials(['b'], { tags: { add: [], remove: ['new'] } })],
      ['setFields', materials(['a'], { tags: { add: ['old'], remove: [] } })],
    ],
  ],
])('%s %o offers to take it back', async (name, input, title, reverse) => {
  const pauses = [
    { site: { id: 's' }, reason: 'Election' },
    { site: null, reason: 'Storm' },
  ]
  const window = aWindow({
    savePauses: { pauses },
    readSettings: { shortcuts: { 'help.open': 'F1' } },
    readRules: rules,
    a: { materialId: 'a', tags: ['old', 'new'] },
    b: { materialId: 'b', tags: [] },
  })
  await window.call(name, input)
  expect([window.made, window.titles()]).toEqual([[[name, input]], [title]])
  expect(await window.undo()).toEqual(reverse)
  expect(window.titles()).toEqual([title])
})

it('offers nothing after a failure, nor for what a form changes', async () => {
  const failed = { ok: false, failure: { code: 'index_locked' } }
  const window = aWindow({ settleComment: failed })
  expect(await window.call('settleComment', { thread: 't', isResolved: true })).toBe(failed)
  await window.call('setFields', materials(['a'], { title: 'New' }))
  await window.call('changeSettings', { theme: 'dark' })
  await window.call('listSites', undefined)
  expect(window.titles()).toEqual([])
})

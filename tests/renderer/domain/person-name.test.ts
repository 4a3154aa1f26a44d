import { expect, it } from 'vitest'

import type { Bridge } from '../../../src/ipc/calls.ts'
import { createPersonName } from '../../../src/renderer/domain/person-name.ts'
import { settled } from '../support/settled.ts'

// Decisions and comments carry a name, which is asked for once.

function aComputer(personName = '') {
  const called: string[] = []
  const answers: Readonly<Record<string, unknown>> = { readSettings: { personName } }
  const bridge = {
    call(name: string) {
      called.push(name)
      return Promise.resolve(answers[name] ?? { ok: true, value: null })
    },
    on: () => () => undefined,
  } as unknown as Bridge
  const { store, signed } = createPersonName(bridge)
  const made = () => called.filter((name) => name !== 'readSettings')
  return { call: signed.call as (name: string, input?: unknown) => Promise<unknown>, made, asked: store.getState }
}

it.each([
  ['decideReview', {}],
  ['approveUnchanged', {}],
  ['addComment', {}],
  ['answerComment', {}],
  ['settleComment', {}],
  ['setFields', { record: 'version', set: { verdict: null } }],
])('%s waits for the name, goes on with it, and nothing asks again', async (name, input) => {
  const computer = aComputer()
  const done = computer.call(name, input)
  await settled()
  expect(computer.asked().isAsked).toBe(true)
  expect(computer.made()).toEqual([])
  await computer.asked().give(' Ida ')
  expect(await done).toEqual({ ok: true, value: null })
  await computer.call('decideReview')
  expect(computer.made()).toEqual(['changeSettings', name, 'decideReview'])
  expect(computer.asked().isAsked).toBe(false)
})

it('a name that is refused changes nothing, and is asked for again', async () => {
  const computer = aComputer()
  const done = computer.call('addComment')
  await settled()
  computer.asked().refuse()
  expect(await done).toEqual({ ok: false, failure: { code: 'name_missing' } })
  void computer.call('addComment')
  await settled()
  expect(computer.asked().isAsked).toBe(true)
  expect(computer.made()).toEqual([])
})

it('nothing asks where the name is known, nor what carries none', async () => {
  const named = aComputer('Ida')
  await named.call('decideReview')
  expect(named.made()).toEqual(['decideReview'])
  const nameless = aComputer()
  await nameless.call('setFields', { record: 'version', set: { note: 'x' } })
  expect(nameless.made()).toEqual(['setFields'])
})

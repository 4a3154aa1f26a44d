import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'

import { createRefuse } from '../../../packages/library/save/answer.ts'
import { recordSteps } from '../../../packages/platform/timing/steps.ts'
import { createTestGalley } from '../../support/test-galley.ts'

test('refused callbacks of a flood share their transactions, and all are listed; one alone does not wait', async () => {
  const { galley } = await createTestGalley()
  const { index } = galley
  const { record } = index.callbacks
  let transactions = 0
  Object.assign(index.callbacks, {
    record: (...ends: Parameters<typeof record>) => {
      transactions += 1
      record(...ends)
    },
  })
  const refuse = createRefuse({
    index,
    now: () => new Date(),
    log: () => undefined,
    storage: { note: () => undefined },
    onCallback: () => undefined,
  })
  const refused = () =>
    refuse('acme', { kind: 'unauthorized' }, {}, { steps: recordSteps(), startedMs: performance.now() })
  const startedMs = performance.now()
  const alone = refused()
  await setImmediate()
  await setImmediate()
  expect(transactions).toBe(1)
  await alone

  const answers = []
  for (let at = 0; at < 50; at++) {
    answers.push(refused())
    await setImmediate()
  }
  for (const { httpStatus } of await Promise.all(answers)) expect(httpStatus).toBe(401)
  expect(transactions).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - startedMs) / 10))
  expect(index.callbacks.list({ site: 'acme', outcome: null, limit: 100 })).toHaveLength(51)
})

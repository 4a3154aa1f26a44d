import { expect, test } from 'vitest'

import { inSlices } from '../../../packages/platform/timing/in-slices.ts'

function* counting(steps: number, stepMs: number): Generator<undefined, string> {
  for (let at = 0; at < steps; at++) {
    const untilMs = performance.now() + stepMs
    while (performance.now() < untilMs);
    yield
  }
  return 'done'
}

test('steps run to their end, and other work continues between them', async () => {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  expect(await inSlices(counting(60, 1))).toBe('done')
  isOver = true
  expect(turns).toBeGreaterThan(3)
  expect(await inSlices(counting(0, 0))).toBe('done')
})

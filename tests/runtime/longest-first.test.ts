import { expect, test } from 'vitest'

import { shareOf } from '../../scripts/runtime/longest-first.ts'

test('each file is in one share, whatever their order, and the shares take about as long', () => {
  const names = ['wire/a', 'e2e/screens', 'wire/b', 'attacks/port', 'kill/care', 'e2e/lighthouse', 'wire/c']
  const files = names.map((name) => `/galley/tests/${name}.test.ts`)
  const [one, other] = [shareOf(files, 1, 2), shareOf(files.toReversed(), 2, 2)]
  expect([...one, ...other].toSorted()).toEqual(files.toSorted())
  expect([...one].map((file) => file.slice(14, -8))).toEqual(['e2e/screens', 'wire/a', 'wire/c'])
})

import { expect, it } from 'vitest'

import { isUnsupported } from '../../../packages/library/records/runtime.ts'

it.each([
  ['33.2.1', '45.4.1', true],
  ['42.9.9', '45.4.1', true],
  ['42.0.0', '^45.0.0', true],
  ['43.0.0', '45.4.1', false],
  ['45.4.1', '45.4.1', false],
  ['46.0.0-beta.1', '45.4.1', false],
])('Electron %s is out of support when Galley is built for %s: %s', (running, builtFor, ended) => {
  expect(isUnsupported(running, builtFor)).toBe(ended)
})

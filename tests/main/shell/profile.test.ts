import { expect, it } from 'vitest'

import { profileFolder } from '../../../src/main/shell/profile.ts'

it('the default library has the default profile, every other one its own', () => {
  expect(profileFolder('/config/galley', '/data/galley/', '/data/galley')).toBe('/config/galley')
  const one = profileFolder('/config/galley', '/data/one', '/data/galley')
  expect(one).toMatch(/^\/config\/galley\/libraries\/[0-9a-f]{16}$/)
  expect(profileFolder('/config/galley', '/data/two', '/data/galley')).not.toBe(one)
})

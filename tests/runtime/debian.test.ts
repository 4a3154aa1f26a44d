import { expect, test } from 'vitest'
import { installedAmong } from '../../scripts/runtime/debian.ts'

test('only packages whose status is installed count', () => {
  const output =
    'xvfb installed\nlibnss3 not-installed\ndbus config-files\nlibgtk-3-0 half-installed\nlibgbm1 installed\n'
  expect([...installedAmong(output)]).toEqual(['xvfb', 'libgbm1'])
})

test('empty output, as when dpkg knows none of the names, means that nothing is installed', () => {
  expect(installedAmong('').has('xvfb')).toBe(false)
})

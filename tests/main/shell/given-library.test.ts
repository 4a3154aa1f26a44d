import { resolve } from 'node:path'
import { expect, it } from 'vitest'

import { givenLibrary, withoutLibrary } from '../../../src/main/shell/given-library.ts'

const environment = { GALLEY_LIBRARY: '/by/variable' }

it.each([
  [['/app', '--library', '/by/option', '--port', '0'], '/by/option', ['/app', '--port', '0']],
  [['--library=/by=option', '--inspect'], '/by=option', ['--inspect']],
  [['/app', '--port', '0'], '/by/variable', ['/app', '--port', '0']],
])('the arguments of a start name its library before its environment does: %j', (args, library, others) => {
  expect(givenLibrary(args, environment)).toBe(library)
  expect(withoutLibrary(args)).toEqual(others)
})

it('a start may have no library argument, and a relative one is resolved against its working folder', () => {
  expect(givenLibrary(['/app'], {})).toBeNull()
  expect(givenLibrary(['--library', 'here'], {})).toBe(resolve('here'))
})

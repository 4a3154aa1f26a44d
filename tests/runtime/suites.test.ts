import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leftOutWithout } from '../../scripts/runtime/suites.ts'
import { temporaryFolder } from './temporary-folder.ts'

function projectWithSuites(): string {
  const root = temporaryFolder()
  for (const name of [
    'e2e/window.test.ts',
    'e2e/support.ts',
    'kill/a.test.ts',
    'kill/deep/b.test.ts',
    'main/c.test.ts',
  ]) {
    mkdirSync(join(root, 'tests', name, '..'), { recursive: true })
    writeFileSync(join(root, 'tests', name), '')
  }
  return root
}

test('nothing is left out when nothing is lacking', () => {
  expect(leftOutWithout([], projectWithSuites())).toEqual([])
})

test('suites that need a lacking part are left out and their test files counted', () => {
  expect(leftOutWithout(['Secret Service'], projectWithSuites())).toEqual([
    { folder: 'tests/e2e', files: 1, lacks: ['Secret Service'] },
    { folder: 'tests/kill', files: 2, lacks: ['Secret Service'] },
  ])
})

test('only the window needs an Electron', () => {
  expect(leftOutWithout(['Electron'], projectWithSuites()).map(({ folder }) => folder)).toEqual(['tests/e2e'])
})

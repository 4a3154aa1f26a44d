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
    'e2e/no-network/walk.test.ts',
    'kill/a.test.ts',
    'kill/deep/b.test.ts',
    'independent-client/c.test.ts',
    'html-checker/e.test.ts',
    'main/d.test.ts',
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
    { folder: 'tests/e2e', files: 2, lacks: ['Secret Service'] },
    { folder: 'tests/kill', files: 2, lacks: ['Secret Service'] },
  ])
})

test('only the window needs an Electron', () => {
  expect(leftOutWithout(['Electron'], projectWithSuites()).map(({ folder }) => folder)).toEqual(['tests/e2e'])
})

test('only the independent client needs Python', () => {
  expect(leftOutWithout(['Python'], projectWithSuites()).map(({ folder }) => folder)).toEqual([
    'tests/independent-client',
  ])
})

test('only the HTML checker needs Java', () => {
  expect(leftOutWithout(['Java'], projectWithSuites()).map(({ folder }) => folder)).toEqual(['tests/html-checker'])
})

test('only the walk without a network needs a namespace to be in', () => {
  expect(
    leftOutWithout(['Network namespace'], projectWithSuites()).map(({ folder, files }) => [folder, files]),
  ).toEqual([['tests/e2e/no-network', 1]])
})

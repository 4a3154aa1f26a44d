import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { createSourcePositions } from '../../../packages/platform/logging/source-positions.ts'

const root = join(import.meta.dirname, '../../..')
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length

it('a position in a built script is mapped to its source', () => {
  const said = 'Galley could not start: '
  const built = readFileSync(join(root, 'out/main/index.js'), 'utf8')
  const source = readFileSync(join(root, 'src/main/index.ts'), 'utf8')
  const at = built.split('\n')[lineOf(built, said) - 1]?.indexOf(said) ?? 0
  const places = createSourcePositions(join(root, 'out'))
  expect(places(`at explainFailedStart (index.js:${lineOf(built, said)}:${at}) at nobody (strange.js:1:2)`)).toBe(
    `at explainFailedStart (src/main/index.ts:${lineOf(source, said)}) at nobody (strange.js:1:2)`,
  )
})

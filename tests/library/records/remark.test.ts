import { expect, it } from 'vitest'

import { remarkSentence } from '../../../packages/library/records/remark.ts'

it('a remark is reported with its name, whatever it contains', () => {
  const name = "a $& {{name}}'s.png"
  expect(remarkSentence({ code: 'font_tree_kept', name })).toBe(`${name} could not be read and was stored unchanged.`)
})

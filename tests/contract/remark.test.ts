import { expect, it } from 'vitest'

import type { RemarkCode } from '../../src/contract/remark.ts'
import { readRemark, remark, remarkSentences } from '../../src/contract/remark.ts'

it.each(Object.keys(remarkSentences) as RemarkCode[])('a stored sentence is read back: %s', (code) => {
  const name = remarkSentences[code].includes('{{name}}') ? "a, which is not in $& {{name}}'s.png" : ''
  expect(readRemark(remark(code, name))).toEqual({ code, name })
})

it('what another Galley wrote is not taken for anything else', () => {
  expect(readRemark('The page refers to the sea.')).toBeNull()
  expect(readRemark('')).toBeNull()
})

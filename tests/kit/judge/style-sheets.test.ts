import { expect, test } from 'vitest'

import { addressesIn } from '../../../packages/kit/judge/fonts-answer.ts'

test('an address keeps its query, and loses its fragment and an empty query', () => {
  const css = `@font-face{src:url("https://cms.example/font?id=7&v=2"),url(a.eot?#iefix),url('b.svg#b'),url( c.woff? )}`
  expect(addressesIn(css)).toEqual(['https://cms.example/font?id=7&v=2', 'a.eot', 'b.svg', 'c.woff'])
})

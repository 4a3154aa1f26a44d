import { expect, test } from 'vitest'

import { member, readExactly } from '../../../packages/kit/protocol/exact-json.ts'

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('numbers and duplicates keep their notation, and the last of equal keys counts', () => {
  const read = readExactly('{"n":1.0,"n":12345678901234567890}')
  expect(read).toEqual({
    kind: 'object',
    members: [
      ['n', { kind: 'plain', text: '1.0' }],
      ['n', { kind: 'plain', text: '12345678901234567890' }],
    ],
  })
  expect(member(read ?? undefined, 'n')).toEqual({ kind: 'plain', text: '12345678901234567890' })
})

test('an answer nested without end is one that cannot be read, and no fault of the kit', () => {
  expect(readExactly(nested(300))).not.toBeNull()
  for (const depth of [2_000, 100_000]) expect(readExactly(nested(depth))).toBeNull()
})

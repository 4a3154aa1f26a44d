import fc from 'fast-check'
import { expect, test } from 'vitest'

import { jsonPieces } from '../../../../src/renderer/features/versions/version-detail.tsx'

test('a text splits into pieces of the right kind', () => {
  const text = '{"a b": [1.0, -2e+3, "x:\\"y", true, null], "": {}}'
  const pieces = jsonPieces(text)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  const kinds = Map.groupBy(pieces, ({ kind }) => kind)
  const textsOf = (kind: (typeof pieces)[number]['kind']) => kinds.get(kind)?.map((piece) => piece.text)
  expect(textsOf('key')).toStrictEqual(['"a b"', '""'])
  expect(textsOf('string')).toStrictEqual(['"x:\\"y"'])
  expect(textsOf('number')).toStrictEqual(['1.0', '-2e+3'])
  expect(textsOf('word')).toStrictEqual(['true', 'null'])
})

test('the pieces of any text add up to that text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) =>
        jsonPieces(text)
          .map((piece) => piece.text)
          .join('') === text,
    ),
  )
})

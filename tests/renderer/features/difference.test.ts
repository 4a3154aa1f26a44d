import { Chunk } from '@codemirror/merge'
import { Text } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { changesOf, differenceOf } from '../../../src/renderer/features/review/difference.ts'

const compare = (before: string, after: string) => differenceOf(before, after, changesOf(before, after, 3000))

/** The lines that the editor marks, before and after. */
function marked(before: string, after: string): readonly (readonly [string, string])[] {
  const found = compare(before, after)
  const [a, b] = [found.before, found.after].map((text) => Text.of(text.split('\n')))
  if (a === undefined || b === undefined) throw new Error('Two texts were given')
  return Chunk.build(a, b, { override: () => found.changes }).map(({ fromA, toA, fromB, toB }) => [
    a.sliceString(fromA, Math.min(toA, a.length)).trimEnd(),
    b.sliceString(fromB, Math.min(toB, b.length)).trimEnd(),
  ])
}

it.each([
  ['a line below', 'one\ntwo', 'one\ntwo\nthree', [['', 'three']]],
  ['the same line again', 'one\ntwo', 'one\ntwo\ntwo', [['', 'two']]],
  ['a last line less', 'one\ntwo\nthree', 'one\ntwo', [['three', '']]],
  ['another last line', 'one\ntwo', 'one\ntwa', [['two', 'twa']]],
  ['a line above', 'one\ntwo', 'zero\none\ntwo', [['', 'zero']]],
])('%s marks that line alone', (_name, before, after, lines) => expect(marked(before, after)).toEqual(lines))

it('only the final newlines of the texts change, and the changes turn one text into the other', () => {
  expect(compare('one\ntwo', 'one\ntwa')).toMatchObject({ before: 'one\ntwo', after: 'one\ntwa' })
  const text = fc.array(fc.constantFrom('a', 'b', '')).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const found = compare(before, after)
      expect([found.before, found.after].map((each) => each.length)).toEqual(
        found.before === before ? [before.length, after.length] : [before.length + 1, after.length + 1],
      )
      let rebuilt = ''
      let at = 0
      for (const { fromA, toA, fromB, toB } of found.changes) {
        rebuilt += found.before.slice(at, fromA) + found.after.slice(fromB, toB)
        at = toA
      }
      expect(rebuilt + found.before.slice(at)).toBe(found.after)
    }),
  )
})

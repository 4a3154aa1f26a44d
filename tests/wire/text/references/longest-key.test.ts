import fc from 'fast-check'
import { expect, it } from 'vitest'

import { createLongestKey } from '../../../../packages/wire/text/references/longest-key.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'й', '\uD83D', '\uDE00'), minLength: 1, maxLength: 6 })

it('finds the same as a search for every key', () => {
  const ends = (text: string) => (end: number) => text[end] !== '-'
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 12 }), fc.array(word), (keys, words) => {
      const text = words.join('')
      const longestKey = createLongestKey(keys)
      const byLength = keys.toSorted((a, b) => b.length - a.length)
      for (let at = 0; at <= text.length; at++) {
        const expected = byLength.find((key) => text.startsWith(key, at) && ends(text)(at + key.length)) ?? null
        expect(longestKey(text, at, ends(text))).toBe(expected)
      }
    }),
    { seed: 20_260_811, numRuns: 1500 },
  )
})

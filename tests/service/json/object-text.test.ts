import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { memberText, membersOf, setMembers } from '../../../packages/service/json/object-text.ts'

describe('object text', () => {
  test('reads members as JSON.parse does, with any blanks', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = ` ${JSON.stringify(value, null, indent)}\n`
        const read = membersOf(text).map(({ key, start, end }) => [key, JSON.parse(text.slice(start, end))])
        expect(Object.fromEntries(read)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('sets members and nothing else', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (value, key, added) => {
        const text = JSON.stringify(value, null, 1)
        const changed = setMembers(text, new Map([[key, JSON.stringify(added)]]))
        const expected = new Map(Object.entries(JSON.parse(text) as object)).set(key, JSON.parse(JSON.stringify(added)))
        expect(new Map(Object.entries(JSON.parse(changed) as object))).toEqual(expected)
      }),
    )
  })

  test('does not change other members, not even their notation', () =>
    expect(
      setMembers(
        '{ "a" : 1.0, "b":[ ], "a":2 , "q\\"}":"}" }',
        new Map([
          ['a', '3'],
          ['c', '{}'],
        ]),
      ),
    ).toBe('{ "a" : 1.0, "b":[ ], "a":3 , "q\\"}":"}","c":{} }'))

  test('of equal keys the last counts', () => expect(memberText('{"a":1,"\\u0061":2}', 'a')).toBe('2'))
})

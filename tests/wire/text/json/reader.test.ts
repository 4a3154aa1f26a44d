import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cause } from '../../../../packages/wire/cause.ts'
import { applyEdits } from '../../../../packages/wire/text/edits.ts'
import {
  appendMembers,
  forEachObject,
  membersNamed,
  objectAt,
  removeMembers,
} from '../../../../packages/wire/text/json/objects.ts'
import { jsonDepthLimit, readJson, stringText } from '../../../../packages/wire/text/json/reader.ts'
import { jsonText } from '../../support/json-documents.ts'
import { jsonTokens } from '../../support/json-tokens.ts'

describe('readJson', () => {
  it.each([
    '{}',
    '[]',
    ' {"a" : [1, -2.50e+3, true, null]} \n',
    '"\\ud800"',
    '"\u2028\u007f"',
    '-0',
    '1E5',
    '{"a":1,"a":2}',
  ])('accepts %j', (text) => {
    expect(readJson(text).ok).toBe(true)
  })

  it.each([
    ['', 'ends_early', 0],
    ['{', 'ends_early', 1],
    ['{"a', 'ends_early', 3],
    ['{"a":', 'ends_early', 5],
    ['["\\', 'ends_early', 3],
    ['["a\\"', 'ends_early', 5],
    ['"', 'ends_early', 1],
    ['\uFEFF{}', 'byte_order_mark', 0],
    ['{} x', 'more_after_end', 3],
    ['{a:1}', 'key_expected', 1],
    ['{"a":1,}', 'key_expected', 7],
    ['[1,]', 'value_expected', 3],
    ['{"a" 1}', 'colon_expected', 5],
    ['[1 2]', 'comma_expected', 3],
    ['[1}', 'comma_expected', 2],
    ['["\\x"]', 'unknown_escape', 2],
    ['["\\u12g4"]', 'unknown_escape', 2],
    ['["a\nb"]', 'control_character', 3],
    ['[01]', 'number_malformed', 1],
    ['[1.]', 'number_malformed', 1],
    ['[.5]', 'value_expected', 1],
    ['[+1]', 'value_expected', 1],
    ['[1e]', 'number_malformed', 1],
    ['[NaN]', 'value_expected', 1],
    ['[True]', 'value_expected', 1],
    ['[1]\u00a0', 'more_after_end', 3],
  ] as const)('refuses %j', (text, problem, offset) => {
    expect(readJson(text)).toEqual({ ok: false, failure: { problem: cause(problem), offset } })
  })

  it('accepts the deepest and refuses the next', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(readJson(nested(jsonDepthLimit)).ok).toBe(true)
    expect(readJson(nested(jsonDepthLimit + 1))).toEqual({
      ok: false,
      failure: { problem: cause('too_deep'), offset: 256 },
    })
    expect(readJson('{"a":'.repeat(500_000)).ok).toBe(false)
  })

  it('agrees with two other readers on generated documents', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(jsonTokens(text).length).toBeGreaterThan(0)
        expect(readJson(text).ok).toBe(true)
      }),
      { seed: 20_260_803, numRuns: 500 },
    )
  })

  const damaged = fc
    .tuple(jsonText, fc.nat(), fc.constantFrom('', '"', '\\', ',', '}', ']', '0', 'e', '\u0001', '\uFEFF', ' '))
    .map(([text, place, insert]) => {
      const at = place % (text.length + 1)
      return text.slice(0, at) + insert + text.slice(insert === '' ? at + 1 : at)
    })
  const accepts = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  it('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(
        fc.oneof(damaged, fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:\\0-1.eEu tn')) })),
        (text) => {
          expect(readJson(text).ok).toBe(accepts(text))
        },
      ),
      { seed: 20_260_804, numRuns: 4000 },
    )
  })
})

describe('objects of a document', () => {
  /** Every object as its keys and the text of its values, by the one-pass walk. */
  const walked = (text: string): unknown[] => {
    const objects: unknown[] = []
    forEachObject(text, (object) => {
      objects.push(
        object.members.map(({ key, value }) => [stringText(text, key), value.kind, text.slice(value.start, value.end)]),
      )
    })
    return objects
  }
  it('are shown each after the ones inside it, duplicate keys and all', () => {
    expect(walked(' {"a":{"\\u0062" : [ {} , 1.0]}, "a":"x" } ')).toEqual([
      [],
      [['b', 'array', '[ {} , 1.0]']],
      [
        ['a', 'object', '{"\\u0062" : [ {} , 1.0]}'],
        ['a', 'string', '"x"'],
      ],
    ])
  })

  it('are the same level by level as in one pass', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        forEachObject(text, (object) => {
          expect(objectAt(text, { ...object, kind: 'object' })).toEqual(object)
        })
      }),
      { seed: 20_260_805, numRuns: 300 },
    )
  })

  const edited = (
    text: string,
    edit: (object: ReturnType<typeof objectAt>) => Parameters<typeof applyEdits>[1],
  ): string => {
    const root = readJson(text)
    return root.ok ? applyEdits(text, edit(objectAt(text, root.value))) : 'unreadable'
  }
  it.each([
    ['{}', '{"k":1}'],
    ['{ }', '{"k":1 }'],
    ['{"a":2}', '{"a":2,"k":1}'],
    [' { "a" : [ ] \n}', ' { "a" : [ ],"k":1 \n}'],
  ])('take new members at their end: %j', (text, expected) => {
    expect(edited(text, (object) => [appendMembers(object, [['k', '1']])])).toBe(expected)
  })

  it.each([
    ['{"x":1}', '{}'],
    ['{ "x" : 1 , "a":2}', '{ "a":2}'],
    ['{"a":2, "x":1 }', '{"a":2 }'],
    ['{"a":2,"x":1,"x":3,"b":4}', '{"a":2,"b":4}'],
    ['{"x":1,"x":3 , "a":2,"\\u0078":1}', '{"a":2}'],
    ['{ "x":1,"x":3 }', '{  }'],
  ])('lose members with one comma each: %j', (text, expected) => {
    expect(
      edited(text, (object) => removeMembers(object, (member) => membersNamed(text, object, 'x').includes(member))),
    ).toBe(expected)
  })
})

it('edits apply in order, and one inside another is dropped with it', () => {
  const edits = [
    { start: 4, end: 5, text: 'E' },
    { start: 1, end: 1, text: '+' },
    { start: 1, end: 3, text: 'B' },
    { start: 2, end: 3, text: 'lost' },
  ]
  expect(applyEdits('abcdef', edits)).toBe('aBdEf')
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import { readCallbackBody, readCallbackHead } from '../../../packages/wire/protocol/callback.ts'
import { blank, jsonText, written } from '../support/json-documents.ts'

/** The result of `JSON.parse`: an oracle that shares nothing with Galley's reader. Null if it is not an object. */
function oracle(text: string): { materialId: string; contentUrl: string } | null {
  const sources = new WeakMap<object, Map<string, string>>()
  let root: unknown
  try {
    root = JSON.parse(text, function (this: object, key: string, value: unknown, context?: { source?: string }) {
      const known = sources.get(this) ?? new Map<string, string>()
      sources.set(this, known.set(key, context?.source ?? ''))
      return value
    } as (key: string, value: unknown) => unknown)
  } catch {
    return null
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return null
  const object = root
  const asString = (name: string): string => {
    const value: unknown = Object.getOwnPropertyDescriptor(object, name)?.value
    if (typeof value === 'string') return value
    // As written, because a double cannot represent every number.
    return typeof value === 'number' || typeof value === 'boolean' ? (sources.get(object)?.get(name) ?? '') : ''
  }
  return { materialId: asString('material_id'), contentUrl: asString('content_url') }
}

const signedOf = (text: string) => {
  const read = readCallbackHead(text)
  return read.ok ? read.value.signed : null
}

const name = fc.constantFrom(
  'material_id',
  'material_id',
  'content_url',
  'content_url',
  '__proto__',
  'event',
  'Material_id',
)
const key = fc.tuple(name, fc.nat(9)).map(([text, salt]) => written(text, salt))
const string = fc
  .tuple(
    fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('post-1', '😀', '\ud83d', '"', '\\')),
    fc.nat(9),
  )
  .map(([text, salt]) => written(text, salt))
const value = fc.oneof(string, string, jsonText)
const members = fc.array(fc.tuple(blank, key, blank, blank, value, blank), { maxLength: 6 })
const body = fc
  .tuple(members, blank)
  .map(
    ([list, around]) =>
      `${around}{${list.map(([a, k, b, c, v, d]) => `${a}${k}${b}:${c}${v}${d}`).join(',')}}${around}`,
  )
const damaged = fc
  .tuple(body, fc.nat(), fc.constantFrom('', '"', '\\', ',', '{', '}', ']', '0', '\u0001', 'material_id', '":"', ' '))
  .map(([text, place, insert]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + insert + text.slice(insert === '' ? at + 1 : at)
  })

describe('the signed strings of a body', () => {
  it('match those of JSON.parse, in texts with duplicate keys, escapes, __proto__ and nested look-alikes', () => {
    let signed = 0
    fc.assert(
      fc.property(
        fc.oneof(
          body,
          fc
            .tuple(body, body)
            .map(([outer, inner]) => outer.replace('{', `{"x":${inner}${outer.includes(':') ? ',' : ''}`)),
        ),
        (text) => {
          const found = signedOf(text)
          expect(found).toEqual(oracle(text))
          if (found !== null && found.materialId !== '' && found.contentUrl !== '') signed += 1
        },
      ),
      { seed: 20_261_122, numRuns: 5000 },
    )
    expect(signed).toBeGreaterThan(500)
  })

  it('are missing exactly when JSON.parse refuses the text or finds no object', () => {
    let refused = 0
    fc.assert(
      fc.property(fc.oneof(damaged, jsonText), (text) => {
        const found = signedOf(text)
        expect(found).toEqual(oracle(text))
        if (found === null) refused += 1
      }),
      { seed: 20_261_123, numRuns: 5000 },
    )
    expect(refused).toBeGreaterThan(500)
  })

  it.each([
    ['an escaped key', '{"\\u006d\\u0061terial_id":"a","content_url":"u"}', 'a', 'u'],
    ['a surrogate pair, escaped and not', '{"material_id":"\\ud83d\\ude00","content_url":"😀"}', '😀', '😀'],
    ['half of a pair', '{"material_id":"\\ud83d","content_url":"\\ude00"}', '\ud83d', '\ude00'],
    ['__proto__ around them', '{"__proto__":{"material_id":"a","content_url":"u"}}', '', ''],
    ['__proto__ before them', '{"__proto__":1,"material_id":"a","content_url":"u"}', 'a', 'u'],
    ['a later null', '{"material_id":"a","content_url":"u","material_id":null}', '', 'u'],
    [
      'a later object that holds one',
      '{"material_id":"a","material_id":{"material_id":"b"},"content_url":"u"}',
      '',
      'u',
    ],
    ['a list that holds them', '{"x":["material_id","a",{"material_id":"b"}],"content_url":"u"}', '', 'u'],
    ['an escaped quote before a look-alike', '{"x":"\\",\\"material_id\\":\\"b","material_id":"a"}', 'a', ''],
    ['a key that only begins like theirs', '{"material_id\\u0000":"b","material_i":"c"}', '', ''],
  ])('with %s', (_, text, materialId, contentUrl) => {
    expect(signedOf(text)).toEqual({ materialId, contentUrl })
    expect(oracle(text)).toEqual({ materialId, contentUrl })
  })

  it('are the same whether the head or the whole body is read', () => {
    fc.assert(
      fc.property(fc.oneof(body, damaged), (text) => {
        const whole = readCallbackBody(text)
        const head = readCallbackHead(text)
        if (whole.ok && head.ok) expect(whole.value).toMatchObject(head.value)
        else expect(whole).toEqual(head)
      }),
      { seed: 20_261_124, numRuns: 1000 },
    )
  })
})

describe('limits', () => {
  const long = 'x'.repeat(9000)
  it.each([
    ['material_id', `{"material_id":"${long}"}`],
    ['content_url', `{"content_url":"${long}"}`],
    ['event', `{"event":"${long}"}`],
    ['material_id', `{"material_id":${'1'.repeat(9000)}}`],
  ])('a %s that is too long to be one is refused before it is hashed', (name, text) => {
    expect(readCallbackHead(text)).toEqual({
      ok: false,
      failure: { kind: 'invalid_request', problem: cause('member_too_long', { name }) },
    })
  })

  it('a name that is longer only in escapes, or not the last of its kind, is read', () => {
    expect(signedOf(`{"material_id":"${long}","material_id":"a"}`)).toMatchObject({ materialId: 'a' })
    const longest = 'x'.repeat(8192)
    expect(signedOf(`{"material_id":"${longest}"}`)).toMatchObject({ materialId: longest })
    const escaped = String.raw`\u0078`.repeat(8192)
    expect(signedOf(`{"material_id":"${escaped}"}`)).toMatchObject({ materialId: longest })
    for (const tooLong of [`${longest}x`, `${escaped}x`, String.raw`${escaped}\u0078`])
      expect(readCallbackHead(`{"material_id":"${tooLong}"}`).ok, `${tooLong.length}`).toBe(false)
  })

  it.each([
    ['open lists', `{"a":${'['.repeat(500_000)}`],
    ['closed lists', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['objects', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`],
  ])('half a million nested %s are refused at the depth limit', (_, text) => {
    expect(readCallbackHead(text)).toEqual({
      ok: false,
      failure: { kind: 'invalid_request', problem: cause('not_json', { why: cause('too_deep') }) },
    })
  })
})

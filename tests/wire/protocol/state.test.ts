import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { clientUrls, writeClientUrls } from '../../../packages/wire/protocol/state.ts'
import { blank, jsonText, written } from '../support/json-documents.ts'
import { jsonTokens } from '../support/json-tokens.ts'

const files = new Map([
  ['a.png', 'https://cdn.test/a'],
  ['__proto__', 'https://cdn.test/p'],
  ['й.png', 'https://cdn.test/j'],
])
const write = (text: string, earlier = new Map<string, string>()) => writeClientUrls(text, files, earlier)
const assets = (entries: string): string => `{"assets":{${entries}}}`

describe('writeClientUrls', () => {
  it.each([
    ['over a dummy', '"a.png":{"clientUrl":"dummy-a.png"}', '"a.png":{"clientUrl":"https://cdn.test/a"}'],
    ['over an earlier URL', '"a.png":{"clientUrl":"https://old.test/a"}', '"a.png":{"clientUrl":"https://cdn.test/a"}'],
    ['over what is no string', '"a.png":{"clientUrl" : {"x":[1.0]} }', '"a.png":{"clientUrl" : "https://cdn.test/a" }'],
    ['into an empty entry', '"a.png":{ }', '"a.png":{"clientUrl":"https://cdn.test/a" }'],
    ['behind other members', '"a.png":{"w":1.0}', '"a.png":{"w":1.0,"clientUrl":"https://cdn.test/a"}'],
    [
      'both of two',
      '"a.png":{"clientUrl":"","clientUrl":1}',
      '"a.png":{"clientUrl":"https://cdn.test/a","clientUrl":"https://cdn.test/a"}',
    ],
    [
      'into both entries',
      '"a.png":{},"a.png":{}',
      '"a.png":{"clientUrl":"https://cdn.test/a"},"a.png":{"clientUrl":"https://cdn.test/a"}',
    ],
    [
      'under escaped keys',
      '"\\u0061.png":{"\\u0063lientUrl":""}',
      '"\\u0061.png":{"\\u0063lientUrl":"https://cdn.test/a"}',
    ],
    ['under odd keys', '"__proto__":{}', '"__proto__":{"clientUrl":"https://cdn.test/p"}'],
    ['under a decomposed key', '"\u0438\u0306.png":{}', '"\u0438\u0306.png":{"clientUrl":"https://cdn.test/j"}'],
  ])('writes %s', (_, before, after) => {
    expect(write(assets(before))).toMatchObject({ ok: true, value: { text: assets(after) } })
  })

  it('changes nothing else, not even similar members', () => {
    const text =
      '{"a.png":{"clientUrl":"dummy-a.png"},"assets":{"a.png":{"in":{"clientUrl":"dummy-a.png"},"clientUrl":"x"}}, "n":[{},[],1.0,12345678901234567890]}'
    const expected = text.replace('"clientUrl":"x"', '"clientUrl":"https://cdn.test/a"')
    expect(write(text)).toEqual({
      ok: true,
      value: { text: expected, urls: new Map([['a.png', 'https://cdn.test/a']]) },
    })
  })

  it.each(['{}', '{"assets":{}}', '{"assets": [ ] }', '{"assets":null}', ' {"x":1} '])(
    'leaves %s without assets',
    (text) => {
      expect(write(text)).toEqual({ ok: true, value: { text, urls: new Map() } })
    },
  )

  it.each([['HTTPS://x.test/b'], ['http://x.test/b']])('keeps the public URL %s of an asset without a file', (url) => {
    const text = assets(`"b.png":{"clientUrl":"${url}"}`)
    expect(write(text, new Map([['b.png', 'https://old.test/b']]))).toEqual({
      ok: true,
      value: { text, urls: new Map([['b.png', url]]) },
    })
  })

  it.each([
    '{"clientUrl":"dummy-b.png"}',
    '{"clientUrl":""}',
    '{"clientUrl":"https://"}',
    '{"clientUrl":null}',
    '{"clientUrl":"/b"}',
  ])('gives an asset without a file the earlier URL: %s', (entry) => {
    expect(write(assets(`"b.png":${entry}`), new Map([['b.png', 'https://old.test/b']]))).toEqual({
      ok: true,
      value: {
        text: assets('"b.png":{"clientUrl":"https://old.test/b"}'),
        urls: new Map([['b.png', 'https://old.test/b']]),
      },
    })
  })

  it.each(['{"clientUrl":"dummy-b.png"}', '{}', '{"clientUrl":"https://x.test","clientUrl":""}', '[]', '"x"', 'null'])(
    'names an asset that has nothing: %s',
    (entry) => {
      expect(write(assets(`"b.png":${entry},"b.png":{},"c":1`))).toEqual({
        ok: false,
        failure: { kind: 'missing_asset', names: ['b.png', 'c'] },
      })
    },
  )

  it("prefers the file's URL to the earlier one", () => {
    expect(write(assets('"a.png":{}'), new Map([['a.png', 'https://old.test/a']]))).toMatchObject({
      value: { text: assets('"a.png":{"clientUrl":"https://cdn.test/a"}') },
    })
  })

  it('ignores an invalid earlier URL', () => {
    expect(write(assets('"b.png":{}'), new Map([['b.png', 'dummy-b.png']]))).toMatchObject({ ok: false })
  })

  it('reports an asset whose entry cannot contain a URL although its file exists', () => {
    expect(write(assets('"a.png":"dummy-a.png"'))).toEqual({
      ok: false,
      failure: { kind: 'missing_asset', names: ['a.png'] },
    })
  })

  it.each(['[]', '1', '{"assets":[1]}', '{"assets":"x"}', '\uFEFF{}', '{', ''])('refuses %j', (text) => {
    expect(write(text)).toMatchObject({ ok: false, failure: { kind: 'invalid_archive' } })
  })

  const entryArb = fc.record({
    name: fc.constantFrom('a.png', '__proto__', 'b.png'),
    members: fc.array(fc.tuple(fc.constantFrom('w', 'x', 'ClientUrl'), jsonText), { maxLength: 2 }),
    old: fc.option(jsonText, { nil: null }),
    salt: fc.nat(9),
    space: blank,
  })
  const earlier = new Map([['b.png', 'https://old.test/b']])
  const urlOf = (name: string, old: string | null): string =>
    JSON.stringify(files.get(name) ?? (old !== null && old.includes('https') ? old : earlier.get(name)))

  it('changes generated states in the URLs only', () => {
    fc.assert(
      fc.property(
        fc.array(entryArb, { maxLength: 5 }),
        fc.array(fc.tuple(fc.constantFrom('"x"', '"Assets"', '"10"'), jsonText), { maxLength: 3 }),
        blank,
        (entries, others, space) => {
          const entry = (isAfter: boolean): string =>
            entries
              .map(({ name, members, old, salt, space: gap }) => {
                const url = urlOf(name, old)
                const parts = members.map(([key, value]) => `${gap}${written(key, salt)}:${value}`)
                if (old !== null) parts.push(`${written('clientUrl', salt)}${gap}:${isAfter ? url : old}`)
                const added = isAfter && old === null ? `${parts.length > 0 ? ',' : ''}"clientUrl":${url}` : ''
                return `${gap}${written(name, salt)}${gap}:{${parts.join(',')}${added}${gap}}`
              })
              .join(',')
          const state = (isAfter: boolean): string =>
            `${space}{${[...others.map(([key, value]) => `${key}${space}:${value}`), `"assets":${space}{${entry(isAfter)}}`].join(',')}}${space}`

          const result = writeClientUrls(state(false), files, earlier)
          expect(result).toMatchObject({ ok: true, value: { text: state(true) } })
          if (!result.ok) return
          jsonTokens(result.value.text)
          const parsed = JSON.parse(result.value.text) as { assets: Record<string, { clientUrl: string }> }
          for (const [name, { clientUrl }] of Object.entries(parsed.assets))
            expect(clientUrl).toBe(result.value.urls.get(name))
          expect(clientUrls(result.value.text)).toEqual(result.value.urls)
        },
      ),
      { seed: 20_260_806, numRuns: 500 },
    )
  })

  it('accepts any text without throwing', () => {
    const text = fc.oneof(
      fc.string(),
      jsonText,
      jsonText.map((value) => `{"assets":${value}}`),
      jsonText.map((value) => assets(`"b.png":${value}`)),
    )
    fc.assert(
      fc.property(text, (value) => {
        const result = write(value)
        // A text that cannot be written can still be read.
        if (result.ok) expect(clientUrls(result.value.text)).toEqual(result.value.urls)
        else expect(clientUrls(value)).toBeInstanceOf(Map)
      }),
      { seed: 20_260_807, numRuns: 1500 },
    )
  })
})

describe('clientUrls', () => {
  it('reads strings, and the last one of duplicates', () => {
    expect(clientUrls(assets('"a":{"clientUrl":"1","clientUrl":"2"},"b":{"clientUrl":1},"c":[],"d":{}'))).toEqual(
      new Map([['a', '2']]),
    )
    expect(clientUrls('{"assets":')).toEqual(new Map())
  })
})

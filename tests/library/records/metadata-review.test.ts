import { describe, expect, it } from 'vitest'

import { looksSecret, reviewMetadata } from '../../../packages/library/records/metadata-review.ts'

describe('metadata before it is sent', () => {
  it('is compared with the previous metadata, regardless of white space and order', () => {
    const { problem, changes } = reviewMetadata('{"b": [1, 2], "c":"new", "d":1.0}', '{"a":1,"b":[1,2],"d":1}')
    expect(problem).toBe(null)
    expect(changes).toEqual([
      { key: 'c', kind: 'added', before: null, after: '"new"' },
      { key: 'd', kind: 'changed', before: '1', after: '1.0' },
      { key: 'a', kind: 'removed', before: '1', after: null },
    ])
    expect(reviewMetadata('{"a":1}', null).changes).toMatchObject([{ key: 'a', kind: 'added' }])
  })

  it.each([
    ['{"a":}', 'not_json', 1, 6],
    ['{"a":1,\n  "b" 2}', 'not_json', 2, 7],
    ['[1]', 'not_object', 1, 1],
    ['{\n"webhook_auth_user":"x"}', 'reserved_key', 2, 1],
  ])('names what keeps %j from being sent', (text, code, line, column) => {
    expect(reviewMetadata(text, null).problem).toMatchObject({ code, line, column })
  })

  it('warns of secrets and of keys that are written twice, at any depth, in their order', () => {
    const text = `{"title":"x","deep":{"apiToken":"abc"},"empty_password":"","note":"Bearer abcdef","title":"y"}`
    expect(reviewMetadata(text, null).warnings.map(({ code, key }) => [code, key])).toEqual([
      ['secret_key', 'apiToken'],
      ['secret_value', 'note'],
      ['duplicate_key', 'title'],
    ])
  })
})

it.each([
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig', true],
  ['-----BEGIN PRIVATE KEY-----', true],
  ['AKIAIOSFODNN7EXAMPLE', true],
  ['https://ida:pass@host.example/x', true],
  ['f3a9c2d1e4b5a6978899aabbccddeeff00', true],
  ['9b2f1c34-5d6e-4f70-8a9b-0c1d2e3f4a5b', false],
  ['A weekend by the harbour, with bread and oranges', false],
  ['section-front-page-of-the-weekend-edition', false],
])('%j looks like a secret: %s', (value, expected) => expect(looksSecret(value)).toBe(expected))

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import { fillFontUrls } from '../../../packages/wire/protocol/fonts.ts'
import { jsonText } from '../support/json-documents.ts'

const files = new Map([
  ['Inter.woff2', 'https://cdn.test/f/Inter.woff2'],
  ['vms_fonts.css', 'https://cdn.test/f/vms_fonts.css'],
  ['2', 'https://cdn.test/f/2'],
  ['й.woff', 'https://cdn.test/f/j'],
])

describe('fillFontUrls', () => {
  it('fills the tree that the service is known to send', () => {
    const tree =
      '{"css":{"id":"vms_fonts.css","clientUrl":"dummy-fonts.css"},"list":[{"family":"Inter","variants":[{"files":{"woff2":{"id":"Inter.woff2"}}}]}]}'
    const filled = tree
      .replace('"dummy-fonts.css"', '"https://cdn.test/f/vms_fonts.css"')
      .replace('"Inter.woff2"}', '"Inter.woff2","clientUrl":"https://cdn.test/f/Inter.woff2"}')
    expect(fillFontUrls(tree, files)).toEqual({
      ok: true,
      value: { text: filled, urls: ['https://cdn.test/f/vms_fonts.css', 'https://cdn.test/f/Inter.woff2'] },
    })
  })

  it.each([
    [
      'a list of files',
      '{"files":[{"\\u0069d":"Inter.woff2"}]}',
      '{"files":[{"\\u0069d":"Inter.woff2","clientUrl":"https://cdn.test/f/Inter.woff2"}]}',
    ],
    [
      'what is no string',
      '{"id":"Inter.woff2", "clientUrl":{"id":"Inter.woff2"}}',
      '{"id":"Inter.woff2", "clientUrl":"https://cdn.test/f/Inter.woff2"}',
    ],
    [
      'both of two',
      '{"clientUrl":1,"id":"Inter.woff2","clientUrl":2}',
      '{"clientUrl":"https://cdn.test/f/Inter.woff2","id":"Inter.woff2","clientUrl":"https://cdn.test/f/Inter.woff2"}',
    ],
  ])('fills %s', (_, text, expected) => {
    expect(fillFontUrls(text, files)).toMatchObject({ ok: true, value: { text: expected } })
  })

  it.each([
    '{"families":["Inter"]}',
    '[]',
    'null',
    '{"id":["Inter.woff2"],"n":1.0}',
    '{"id":"Other.woff2"}',
    '{"id":123}',
    '{"id":"__proto__"}',
  ])('passes %s through', (text) => {
    expect(fillFontUrls(text, files)).toEqual({ ok: true, value: { text, urls: [] } })
  })

  it('finds a file by its decomposed name', () => {
    expect(fillFontUrls('{"id":"\u0438\u0306.woff"}', files)).toMatchObject({
      value: { urls: ['https://cdn.test/f/j'] },
    })
  })

  it('returns the URLs that were there', () => {
    expect(fillFontUrls('[{"id":"x","clientUrl":"https:\\/\\/other.test\\/x"}]', files)).toMatchObject({
      value: { urls: ['https://other.test/x'] },
    })
  })

  it('reports why a text cannot be read', () => {
    expect(fillFontUrls('[', files)).toEqual({ ok: false, failure: { problem: cause('ends_early'), offset: 1 } })
  })

  it('does not change generated documents without file names', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(fillFontUrls(text, files)).toMatchObject({ ok: true, value: { text } })
      }),
      { seed: 20_260_809, numRuns: 300 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { mediaChanges } from '../../packages/library/records/media-changes.ts'
import type { Sha256 } from '../../packages/wire/ids.ts'
import { jsonLines } from '../../packages/wire/text/json/lines.ts'
import { readThumbnailUrl, thumbnailUrl } from '../../src/ipc/thumbnail-url.ts'
import { markupLines } from '../../src/main/review/prepare.ts'

describe('the lines of a page', () => {
  it('of its source break between tags and nowhere else', () => {
    const html = '<p>a > b</p><p>c</p><!-- x --></div>'
    expect(markupLines(html)).toBe('<p>a > b</p>\n<p>c</p>\n<!-- x -->\n</div>')
    expect(markupLines(html).replaceAll('\n', '')).toBe(html)
  })
})

describe('the lines of a JSON text', () => {
  it('are those of JSON.stringify, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonLines(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  it('have empty brackets on one line, with any white space in them', () => {
    expect(jsonLines('{"l":[],"o":{ },"d":[{"a":"{,}"},2]}')).toBe(
      '{\n  "l": [],\n  "o": {},\n  "d": [\n    {\n      "a": "{,}"\n    },\n    2\n  ]\n}',
    )
  })

  it('keep the notation of numbers and escapes', () => {
    expect(jsonLines('{"a":12345678901234567890,"b":"\\u0041","b":1.0}')).toBe(
      '{\n  "a": 12345678901234567890,\n  "b": "\\u0041",\n  "b": 1.0\n}',
    )
  })

  it('are the text itself when it is no JSON', () => {
    expect(jsonLines('{"a":')).toBe('{"a":')
    expect(jsonLines('hello, world')).toBe('hello, world')
  })
})

describe('the media of two versions', () => {
  const file = (name: string, sha256: string, sizeBytes = 1) => ({ name, sha256: sha256 as Sha256, sizeBytes, url: '' })

  it('are compared by name and content, with differences first', () => {
    const before = [file('a', '1'), file('b', '1', 5), file('d', '4')]
    const after = [file('a', '1'), file('b', '2', 7), file('c', '3')]
    expect(mediaChanges(before, after)).toStrictEqual([
      { name: 'b', kind: 'changed', before: before[1], after: after[1] },
      { name: 'c', kind: 'added', before: null, after: after[2] },
      { name: 'd', kind: 'removed', before: before[2], after: null },
      { name: 'a', kind: 'same', before: before[0], after: after[0] },
    ])
  })
})

describe('the address of a thumbnail', () => {
  it('contains any version, and is read back the same after a URL parser', () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(id, id, id, (site, materialId, versionId) => {
        const { href } = new URL(thumbnailUrl({ site, materialId, versionId }))
        expect(readThumbnailUrl(href)).toStrictEqual({ site, materialId, versionId })
      }),
    )
    expect(readThumbnailUrl(new URL(thumbnailUrl({ site: 's', materialId: '..', versionId: '.' })).href)).toStrictEqual(
      {
        site: 's',
        materialId: '..',
        versionId: '.',
      },
    )
  })

  it.each([
    ['app://galley/thumbnail'],
    ['app://galley/thumbnail?a&b'],
    ['app://galley/renderer/index.html'],
    ['app://galley/thumbnail?%zz&b&c'],
  ])('is none of %s', (url) => {
    expect(readThumbnailUrl(url)).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import { claimedKind, judgeCallback, readCallbackBody } from '../../../packages/wire/protocol/callback.ts'

const site = { baseUrl: 'https://svc.test/integration', downloadOrigins: [] }
const media = 'https://svc.test/integration/download/media/s/v1'
const fonts = 'https://svc.test/integration/download/fonts/s/v1'
const opaque = 'https://svc.test/archives/7'

function bodyOf(text: string) {
  const read = readCallbackBody(text)
  if (!read.ok) throw new Error(`The body was not read: ${JSON.stringify(read.failure)}`)
  return read.value
}

describe('reading a body', () => {
  it('reads the known members, and JSON parts as written', () => {
    const text = `{"event":"article_saved","material_id":"p\\u006fst","content_url":"${media}",
      "metadata": { "n":12345678901234567890,"a":1.0 } ,"fonts":[ {} ],"debug":true,"more":{"material_id":"x"}}`
    expect(bodyOf(text)).toEqual({
      signed: { materialId: 'post', contentUrl: media },
      event: 'article_saved',
      materialId: 'post',
      contentUrl: media,
      metadata: '{ "n":12345678901234567890,"a":1.0 }',
      fonts: '[ {} ]',
    })
  })

  it('reads nothing from an empty object', () => {
    expect(bodyOf('{}')).toEqual({
      signed: { materialId: '', contentUrl: '' },
      event: null,
      materialId: null,
      contentUrl: null,
      metadata: null,
      fonts: null,
    })
  })

  it('reads a font tree of any shape', () => {
    const shapes = ['{}', '[]', '"x"', '1.0', 'true', 'null']
    expect(shapes.map((shape) => bodyOf(`{"fonts":${shape}}`).fonts)).toEqual([...shapes.slice(0, -1), null])
  })

  it('reads the last of duplicate members, in any notation of the key', () => {
    expect(bodyOf('{"material_id":"a","material_id":"b"}').materialId).toBe('b')
    expect(bodyOf('{"material_id":"a","material\\u005fid":"b"}').materialId).toBe('b')
    expect(bodyOf('{"material_id":"a","material_id":7}')).toMatchObject({
      materialId: null,
      signed: { materialId: '7' },
    })
  })

  it.each([
    ['7', '7'],
    ['1.0', '1.0'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', 'true'],
    ['null', ''],
    ['{}', ''],
    ['["a"]', ''],
  ])('signs a material_id of %s as %j, and knows it for no string', (json, text) => {
    expect(bodyOf(`{"material_id":${json}}`)).toMatchObject({ materialId: null, signed: { materialId: text } })
  })

  it.each(['[]', '"x"', '1', 'null', '{}'])('reads metadata only if it is an object: %s', (json) => {
    expect(bodyOf(`{"metadata":${json}}`).metadata).toBe(json === '{}' ? '{}' : null)
  })

  it.each([
    '',
    ' ',
    '{',
    '{}}',
    '{} {}',
    '[]',
    '"{}"',
    '1',
    'null',
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":NaN}',
    '\uFEFF{}',
    '{"a":"\n"}',
    'event=article_saved',
    `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  ])('refuses what is not one JSON object: %j', (text) =>
    expect(readCallbackBody(text)).toMatchObject({ ok: false, failure: { kind: 'invalid_request' } }),
  )

  it('recognizes the two events by their names only', () => {
    expect(
      ['"article_saved"', '"site_fonts_updated"', '"Article_Saved"', '"article_saved "', '""', '1', 'null'].map(
        (json) => claimedKind(bodyOf(`{"event":${json}}`)),
      ),
    ).toEqual(['article_saved', 'site_fonts_updated', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown'])
  })
})

describe('judging a body', () => {
  const judged = (members: object) => judgeCallback(bodyOf(JSON.stringify({ material_id: 'post-1', ...members })), site)

  it.each([
    ['article_saved', media, 'article_saved'],
    ['site_fonts_updated', fonts, 'site_fonts_updated'],
    ['article_saved', opaque, 'article_saved'],
    ['site_fonts_updated', opaque, 'site_fonts_updated'],
    [undefined, media, 'article_saved'],
    [undefined, fonts, 'site_fonts_updated'],
  ])('event %j with %s is %s', (event, content_url, expected) => {
    expect(judged({ event, content_url })).toMatchObject({
      ok: true,
      value: { event: expected, materialId: 'post-1', contentUrl: { signed: content_url } },
    })
  })

  it.each([
    ['article_saved', fonts],
    ['site_fonts_updated', media],
    [undefined, opaque],
    ['something_new', opaque],
    ['something_new', media],
    ['article_updated', fonts],
    ['', media],
    [7, fonts],
    [null, media],
    [{ name: 'article_saved' }, media],
    [undefined, `${opaque}?x=/download/media/`],
  ])('event %j with %s is unknown_event', (event, content_url) => {
    expect(judged({ event, content_url })).toEqual({ ok: false, failure: { kind: 'unknown_event' } })
  })

  it.each([
    ['material_id', { material_id: undefined }],
    ['material_id', { material_id: '' }],
    ['material_id', { material_id: 7 }],
    ['material_id', { material_id: null }],
    ['content_url', { content_url: undefined }],
    ['content_url', { content_url: '' }],
    ['content_url', { content_url: [media] }],
  ])('names %s when it is missing or no string', (field, change) => {
    expect(judged({ event: 'article_saved', content_url: media, ...change })).toEqual({
      ok: false,
      failure: { kind: 'invalid_request', problem: cause('member_missing', { name: field }) },
    })
  })

  it.each([
    ['material_id', { material_id: 'a\ud800' }],
    ['material_id', { material_id: '\udc00\ud800' }],
    ['content_url', { content_url: `${media}\ud800` }],
  ])('names %s with half of a surrogate pair, which would be stored as U+FFFD', (name, change) => {
    expect(judged({ event: 'article_saved', content_url: media, ...change })).toEqual({
      ok: false,
      failure: { kind: 'invalid_request', problem: cause('member_not_unicode', { name }) },
    })
    expect(judged({ event: 'article_saved', content_url: media, material_id: '😀\ufffd' }).ok).toBe(true)
  })

  it('checks the URL before the event', () => {
    expect(judged({ content_url: 'https://evil.test/x' })).toEqual({
      ok: false,
      failure: { kind: 'foreign_content_url' },
    })
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, refusalOf, secret, startService } from './support/service.ts'
import type { SiteStub } from './support/site-stub.ts'
import { download, savingSite, signed, startSite } from './support/site-stub.ts'

let service: Service
let site: SiteStub
let mediaUrl: string
let fontsUrl: string
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService()
  const { fingerprint = '' } = await service.opened({ material_id: 'M1', callback_url: site.callbackUrl })
  await service.save(fingerprint, { html: '<p></p>', state: {}, files: { a: 'AA==' } })
  await service.post('/_emulator/fonts', { material_id: 'F', files: {}, css: '', tree: {} })
  const urls = site.callbacks.map(({ payload }) => payload.content_url)
  mediaUrl = urls[0] ?? ''
  fontsUrl = urls[1] ?? ''
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

const get = (url: string, query: string, signature: string): Promise<Response> =>
  fetch(`${url}?${query}`, { headers: { 'X-Service-Signature': signature } })

test('a ZIP with its length, by GET and HEAD', async () => {
  const answer = await download(mediaUrl, key, secret, 'M1')
  const bytes = await answer.arrayBuffer()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength))
  const headers = { 'X-Service-Signature': signed(secret, 'M1', mediaUrl) }
  const head = await fetch(`${mediaUrl}?api_key=${key}&material_id=M1`, { method: 'HEAD', headers })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.byteLength)])
  expect((await download(fontsUrl, key, secret, 'F')).status).toBe(200)
})

test('401, 403 and 404 have different causes', async () => {
  const good = `api_key=${key}&material_id=M1`
  const unknown = mediaUrl.replace(/[^/]+$/, 'unknown')
  const stranger = mediaUrl.replace(/[^/]+\/[^/]+$/, 'nobody/unknown')
  const unknownFonts = fontsUrl.replace(/[^/]+$/, 'unknown')
  const answers = await Promise.all([
    get(mediaUrl, good, signed(secret, 'M1', `${mediaUrl}?${good}`)),
    get(mediaUrl, good, ''),
    get(mediaUrl, good, signed('other', 'M1', mediaUrl)),
    get(mediaUrl, `api_key=${key}&material_id=M2`, signed(secret, 'M2', mediaUrl)),
    get(fontsUrl, good, signed(secret, 'M1', fontsUrl)),
    get(mediaUrl, 'api_key=other&material_id=M1', signed(secret, 'M1', mediaUrl)),
    get(mediaUrl, 'material_id=M1', signed(secret, 'M1', mediaUrl)),
    get(mediaUrl, `api_key=${key}`, signed(secret, '', mediaUrl)),
    get(unknown, good, signed(secret, 'M1', unknown)),
    get(unknown, good, signed('other', 'M1', unknown)),
    get(stranger, good, signed(secret, 'M1', stranger)),
    get(unknownFonts, good, signed(secret, 'M1', unknownFonts)),
  ])
  expect(await Promise.all(answers.map(async (answer) => (await refusalOf(answer)).slice(0, 2)))).toEqual([
    [403, 'invalid_signature'],
    [403, 'invalid_signature'],
    [403, 'invalid_signature'],
    [403, 'wrong_material'],
    [403, 'wrong_material'],
    [401, 'unknown_api_key'],
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [404, 'not_found'],
    [403, 'invalid_signature'],
    [404, 'not_found'],
    [404, 'not_found'],
  ])
})

describe('ranges', () => {
  /** More than the emulator reads at once. */
  const large = Buffer.alloc(700_000, 'range')
  let url: string
  let whole: Buffer
  let etag: string
  beforeEach(async () => {
    const { fingerprint = '' } = await service.opened({ material_id: 'M1', callback_url: site.callbackUrl })
    await service.save(fingerprint, { html: '', state: {}, files: { large: large.toString('base64') } })
    url = site.callbacks.at(-1)?.payload.content_url ?? ''
    const answer = await download(url, key, secret, 'M1')
    whole = Buffer.from(await answer.arrayBuffer())
    etag = answer.headers.get('etag') ?? ''
  })

  const ranged = async (headers: Record<string, string>) => {
    const signature = { 'X-Service-Signature': signed(secret, 'M1', url) }
    const answer = await fetch(`${url}?api_key=${key}&material_id=M1`, { headers: { ...signature, ...headers } })
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=300000-600000', 300_000, 600_001],
    ['bytes=699000-', 699_000, undefined],
    ['bytes=-20', -20, undefined],
  ])('%s', async (range, from, to) => {
    const { answer, bytes } = await ranged({ range })
    expect(answer.status).toBe(206)
    expect(bytes.equals(whole.subarray(from, to))).toBe(true)
    const start = from < 0 ? whole.length + from : from
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${start + bytes.length - 1}/${whole.length}`)
  })

  test('416 beyond the end, and the whole for several ranges or another ETag', async () => {
    const beyond = await ranged({ range: 'bytes=9000000-' })
    expect([beyond.answer.status, beyond.answer.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
    expect(JSON.parse(String(beyond.bytes))).toMatchObject({ error: 'range_not_satisfiable' })
    const answers = [
      await ranged({ range: 'bytes=0-1,5-6' }),
      await ranged({ range: 'bytes=0-1', 'if-range': '"other"' }),
      await ranged({ range: 'bytes=0-1', 'if-range': etag }),
    ]
    expect(answers.map(({ answer, bytes }) => [answer.status, bytes.length])).toEqual([
      [200, whole.length],
      [200, whole.length],
      [206, 2],
    ])
  })
})

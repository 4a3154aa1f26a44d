import { rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

import { aFontsSave, aSave, createTestGalley, send } from '../../support/test-galley.ts'

const text = '0123456789'
const large = Buffer.alloc(300_000, 'abcdefgh')

/** A library with a small picture in a pack, a large separate one, a page, a script and a font set. */
async function setUp() {
  const made = await createTestGalley()
  const { galley, service, know, post, listener } = made
  await know('post-1')
  const files = {
    'digits.txt': text,
    'big.bin': large,
    'page.html': '<script>alert(1)</script>',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'empty.png': '',
    'a b/ü%2F?#.png': 'odd',
    noextension: 'x',
    photo: '\u0000\u0000\u0000\u0020ftypavif',
    'photo.old': 'GIF89a',
    page: '<html><script>alert(1)</script>',
  }
  const save = aSave(service, { html: '<p>', files, state: '{}' })
  const answer = await post(save.body, save.headers)
  expect(answer.json.rc, answer.text).toBe(1)
  const fonts = aFontsSave(service, 'snap%201', {
    'vms_fonts/A b.woff2': 'font',
    'vms_fonts.css': 'a{}',
    'vms_fonts.json': '{}',
  })
  expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
  const [version] = galley.index.versions.list('acme', 'post-1')
  const url = (name: string) => version?.publicUrls[name] ?? `${listener}/nothing`
  const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(address, method, null, headers)
  return { ...made, url, get }
}

describe('stored media', () => {
  it('without a known extension have the type of their bytes, unless it could run', async () => {
    const { url, get } = await setUp()
    const typeOf = async (name: string) => (await get(url(name))).headers['content-type']
    expect(await typeOf('photo')).toBe('image/avif')
    expect(await typeOf('photo.old')).toBe('image/gif')
    for (const name of ['page', 'noextension', 'page.html']) expect(await typeOf(name)).toBe('application/octet-stream')
    expect((await get(url('photo'), { range: 'bytes=3-' })).headers['content-type']).toBe('image/avif')
  })

  it('are served completely, with the headers for caches and foreign pages', async () => {
    const { url, get } = await setUp()
    const answer = await get(url('digits.txt'), { origin: 'https://editor.test', authorization: 'Basic eDp5' })
    expect([answer.status, answer.text]).toEqual([200, text])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    expect(answer.headers['set-cookie']).toBe(undefined)
    for (const [name, body] of [
      ['empty.png', ''],
      ['a b/ü%2F?#.png', 'odd'],
      ['big.bin', large.toString()],
    ] as const) {
      const found = await get(url(name))
      expect([found.status, found.headers['content-length'], found.text === body], name).toEqual([
        200,
        String(Buffer.byteLength(body)),
        true,
      ])
    }
    expect((await get(`${url('digits.txt')}?anything=1`)).text).toBe(text)
  })

  it('can run no script, whatever their type', async () => {
    const { url, get } = await setUp()
    const types = {
      'page.html': 'application/octet-stream',
      'drawing.svg': 'image/svg+xml',
      noextension: 'application/octet-stream',
    }
    for (const [name, type] of Object.entries(types)) {
      const { headers } = await get(url(name))
      expect(headers['content-type'], name).toBe(type)
      expect(headers['x-content-type-options']).toBe('nosniff')
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain('sandbox')
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/script|allow-/)
    }
  })

  it('are served in ranges, from packs and separate files alike', async () => {
    const { url, get } = await setUp()
    const part = async (name: string, range: string, more = {}) => {
      const { status, headers, text: body } = await get(url(name), { range, ...more })
      return [status, headers['content-range'], headers['content-length'], body]
    }
    expect(await part('digits.txt', 'bytes=2-4')).toEqual([206, 'bytes 2-4/10', '3', '234'])
    expect(await part('digits.txt', 'bytes=-1')).toEqual([206, 'bytes 9-9/10', '1', '9'])
    expect(await part('digits.txt', 'bytes=7-')).toEqual([206, 'bytes 7-9/10', '3', '789'])
    expect(await part('digits.txt', 'bytes=0-1,3-4')).toEqual([200, undefined, '10', text])
    expect(await part('big.bin', 'bytes=200001-200003')).toEqual([206, 'bytes 200001-200003/300000', '3', 'bcd'])
    expect(await part('digits.txt', 'bytes=10-')).toEqual([416, 'bytes */10', undefined, ''])
    expect((await part('empty.png', 'bytes=0-'))[0]).toBe(416)
    // If-Range: a range only if the client has a part of the same file.
    const etag = String((await get(url('digits.txt'))).headers['etag'])
    expect((await part('digits.txt', 'bytes=2-4', { 'if-range': etag }))[0]).toBe(206)
    expect((await part('digits.txt', 'bytes=2-4', { 'if-range': '"other"' }))[0]).toBe(200)
  })

  it('are not sent again to clients that have them', async () => {
    const { url, get } = await setUp()
    const etag = String((await get(url('digits.txt'))).headers['etag'])
    for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const answer = await get(url('digits.txt'), { 'if-none-match': known, range: 'bytes=0-1' })
      expect([answer.status, answer.text, answer.headers['etag']], known).toEqual([304, '', etag])
    }
    for (const known of ['"other"', etag.slice(1, -1), '""']) {
      expect((await get(url('digits.txt'), { 'if-none-match': known })).status, known).toBe(200)
    }
  })

  it('answer HEAD with the headers of the whole file, and nothing else', async () => {
    const { url, get } = await setUp()
    const whole = await get(url('big.bin'))
    for (const range of ['', 'bytes=0-1']) {
      const head = await get(url('big.bin'), { range }, 'HEAD')
      expect([head.status, head.text]).toEqual([200, ''])
      expect({ ...head.headers, date: 0 }).toEqual({ ...whole.headers, date: 0 })
    }
  })

  it('are found only under their own hash and name', async () => {
    const { url, get, listener } = await setUp()
    const [, hash = '', name = ''] = /\/media\/([0-9a-f]{32})\/(.*)$/.exec(url('digits.txt')) ?? []
    expect((await get(`${listener}/media/${hash}/${name}`)).status).toBe(200)
    const other = /\/media\/([0-9a-f]{32})\//.exec(url('big.bin'))?.[1]
    for (const path of [
      `/media/${hash}/other.txt`,
      `/media/${hash}/${name}/`,
      `/media/${hash}/${name}/x`,
      `/media/${hash}/`,
      `/media/${hash}`,
      `/media/${other}/${name}`,
      `/media/${hash.toUpperCase()}/${name}`,
      `/media/${hash.slice(0, 31)}/${name}`,
      `/media/${hash}0/${name}`,
      `/media/${'%25'.repeat(10)}/${name}`,
      `/media/${hash}/%`,
      `/media/${hash}/%ff`,
      `/media/${hash}/..%2f..%2findex.db`,
      `/media/..%2f..%2findex.db/x`,
      `/media/../../etc/passwd`,
      `/index.db`,
      `//media/${hash}/${name}`,
      `/Media/${hash}/${name}`,
      '/media',
      '/',
      '',
    ]) {
      const answer = await get(listener + path)
      expect([answer.status, answer.json.code], path).toEqual([404, 'not_found'])
    }
  })

  it('with a missing file are not found, while others still are', async () => {
    const { url, get, galley } = await setUp()
    const hash = /\/media\/([0-9a-f]{32})\//.exec(url('big.bin'))?.[1] ?? ''
    const media = galley.index.versions.mediaByAddress(hash, 'big.bin')
    if (!media) throw new Error('The file is not known')
    await rm(galley.vault.pathOf(media.sha256))
    expect((await get(url('big.bin'))).status).toBe(404)
    expect((await get(url('digits.txt'))).status).toBe(200)
  })

  it('accept only GET and HEAD', async () => {
    const { url, get, listener } = await setUp()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      expect(
        [(await get(url('digits.txt'), {}, method)).status, (await get(`${listener}/nothing`, {}, method)).status],
        method,
      ).toEqual([405, 404])
    }
  })
})

describe('stored fonts', () => {
  it('are served under their snapshot permanently, and as current.css until the next one', async () => {
    const { get, listener } = await setUp()
    const font = await get(`${listener}/fonts/acme/snap%201/A%20b.woff2`)
    expect([font.status, font.text, font.headers['content-type']]).toEqual([200, 'font', 'font/woff2'])
    expect(font.headers['cache-control']).toContain('immutable')
    const css = await get(`${listener}/fonts/acme/snap%201/vms_fonts.css`)
    expect([css.text, css.headers['content-type']]).toEqual(['a{}', 'text/css; charset=utf-8'])
    expect(css.headers['cache-control']).toContain('immutable')
    const current = await get(`${listener}/fonts/acme/current.css`)
    expect([current.text, current.headers['cache-control'], current.headers['access-control-allow-origin']]).toEqual([
      'a{}',
      'public, max-age=0, must-revalidate',
      '*',
    ])
    expect(
      (await get(`${listener}/fonts/acme/current.css`, { 'if-none-match': String(current.headers['etag']) })).status,
    ).toBe(304)
  })

  it('are found only under their own names', async () => {
    const { get, listener } = await setUp()
    for (const path of [
      'other/current.css',
      'acme/other.css',
      'acme/snap%201/other.woff2',
      'acme/snap%202/A%20b.woff2',
      'other/snap%201/A%20b.woff2',
      'acme/snap%201/vms_fonts.json',
      'acme/snap%201',
      'acme/snap%201/',
      'acme',
    ]) {
      expect((await get(`${listener}/fonts/${path}`)).status, path).toBe(404)
    }
  })
})

import { describe, expect, it } from 'vitest'

import { downloadPath, parseContentUrl, readsAsDownload } from '../../../packages/wire/protocol/content-url.ts'

const site = {
  baseUrl: 'https://svc.example.test/integration',
  downloadOrigins: ['https://dl.example.test:8443', 'http://127.0.0.1:9000/some/path', 'https://[2001:db8::1]'],
}

const accepted: readonly (readonly [string, 'media' | 'fonts' | null, string])[] = [
  ['https://svc.example.test/integration/download/media/s/v1', 'media', 'v1'],
  ['https://svc.example.test/integration/download/fonts/s/v1', 'fonts', 'v1'],
  ['https://svc.example.test/download/media/s/v1?flag&x=1&x=2', 'media', 'v1'],
  ['https://svc.example.test/elsewhere/v1', null, 'v1'],
  ['https://svc.example.test/v1/', null, 'v1'],
  ['https://svc.example.test/', null, ''],
  ['https://svc.example.test', null, ''],
  ['https://svc.example.test?x=/download/media/', null, ''],
  // A name of both kinds is ambiguous.
  ['https://svc.example.test/download/media/download/fonts/v1', null, 'v1'],
  ['https://svc.example.test/download/mediax/v1', null, 'v1'],
  ['https://svc.example.test/Download/Media/v1', null, 'v1'],
  ['https://svc.example.test/download/media/s/v%201%2Fx', 'media', 'v 1/x'],
  ['https://svc.example.test/download/media/s/%zz', 'media', '%zz'],
  ['https://svc.example.test/download/media/s/caf%C3%A9', 'media', 'café'],
  ['https://svc.example.test/download/media/s/café', 'media', 'café'],
  ['https://svc.example.test/download/media/s/v;a=1', 'media', 'v;a=1'],
  ['https://svc.example.test/@svc/download/media/s/v1', 'media', 'v1'],
  ['https://svc.example.test/download/media/s/v1?x=a@b', 'media', 'v1'],
  ['https://svc.example.test?x=@/y', null, ''],
  // The same origin in other words.
  ['HTTPS://SVC.Example.TEST/download/media/s/v1', 'media', 'v1'],
  ['https://svc.example.test:443/download/media/s/v1', 'media', 'v1'],
  ['https://svc.example.test:/download/media/s/v1', 'media', 'v1'],
  ['https://svc.ex%61mple.test/download/media/s/v1', 'media', 'v1'],
  ['https://ｓvc.example.test/download/media/s/v1', 'media', 'v1'],
  // Dots are removed before the checks: the checked URL is the one that is fetched.
  ['https://svc.example.test/download/media/../fonts/s/v1', 'fonts', 'v1'],
  ['https://svc.example.test/download/media/%2e%2e/fonts/s/v1', 'fonts', 'v1'],
  ['https://svc.example.test/download/media/..', null, 'download'],
  ['https://svc.example.test/a/../download/media/s/v1', 'media', 'v1'],
  // Further download origins; a path of theirs means nothing.
  ['https://dl.example.test:8443/download/media/s/v1', 'media', 'v1'],
  ['http://127.0.0.1:9000/download/media/s/v1', 'media', 'v1'],
  ['http://127.1:9000/download/media/s/v1', 'media', 'v1'],
  ['http://0x7f000001:9000/v1', null, 'v1'],
  ['https://[2001:db8::1]/v1', null, 'v1'],
  ['https://[2001:0db8:0::0:1]:443/v1', null, 'v1'],
]

const refused: readonly string[] = [
  '',
  'v1',
  '/download/media/s/v1',
  '//svc.example.test/download/media/s/v1',
  'svc.example.test/download/media/s/v1',
  // Another scheme.
  'http://svc.example.test/download/media/s/v1',
  'ftp://svc.example.test/download/media/s/v1',
  'wss://svc.example.test/v1',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:alert(1)',
  'blob:https://svc.example.test/v1',
  'about:blank',
  // Another host.
  'https://evil.test/download/media/s/v1',
  'https://evil.test/?https://svc.example.test/',
  'https://example.test/v1',
  'https://x.svc.example.test/v1',
  'https://svc.example.test.evil.test/v1',
  'https://svc.example.testevil.test/v1',
  'https://svc-example.test/v1',
  'https://svc.example.test./v1',
  'https://svc.example.test%2eevil.test/v1',
  'https://svc.example.test%00.evil.test/v1',
  'https://svс.example.test/v1',
  'https://xn--sv-6ca.example.test/v1',
  'https://svc。example.test.evil.test/v1',
  'https://2001:db8::1/v1',
  'https://[2001:db8::2]/v1',
  'https://127.0.0.1/v1',
  'http://127.0.0.1:9001/v1',
  'http://localhost:9000/v1',
  'http://2130706433/v1',
  // Another port.
  'https://svc.example.test:8443/v1',
  'https://dl.example.test/v1',
  'https://svc.example.test:99999/v1',
  'https://svc.example.test:443x/v1',
  // User-info, also where it is empty.
  'https://user@svc.example.test/v1',
  'https://user:pass@svc.example.test/v1',
  'https://@svc.example.test/v1',
  'https://:@svc.example.test/v1',
  'https://svc.example.test@evil.test/v1',
  'https://svc.example.test:443@evil.test/v1',
  'https://evil.test@svc.example.test/v1',
  'https://user%40svc.example.test/v1',
  'https://user@svc.example.test',
  'https://a@b@svc.example.test/v1',
  // Fragments.
  'https://svc.example.test/v1#',
  'https://svc.example.test/v1#top',
  'https://evil.test#@svc.example.test/',
  'https://svc.example.test#.evil.test/',
  // URLs whose host depends on the parser.
  'https:svc.example.test/v1',
  'https:/svc.example.test/v1',
  'https:/user@svc.example.test/v1',
  'https:///svc.example.test/v1',
  'https:////user@svc.example.test/v1',
  'https:\\\\svc.example.test\\v1',
  'https://svc.example.test\\@evil.test/v1',
  'https://evil.test\\@svc.example.test/v1',
  'https://svc.example.test/a\\b',
  ' https://svc.example.test/v1',
  'https://svc.example.test/v1 ',
  'https://svc.example.test/v 1',
  'https://svc.example.test/v1\n',
  'https://svc.example.test/v1\r\nX-Header: 1',
  'https://svc.exam\tple.test/v1',
  'ht\ntps://svc.example.test/v1',
  'https://svc.example.test/\u0000',
  'https://svc.example.test/\u007f',
  '\uFEFFhttps://svc.example.test/v1',
]

describe('a content_url', () => {
  it.each(accepted)('%s belongs to the service', (text, kind, lastSegment) => {
    const read = parseContentUrl(text, site)
    expect(read && { signed: read.signed, kind: read.kind, lastSegment: read.lastSegment }).toEqual({
      signed: text,
      kind,
      lastSegment,
    })
  })

  it.each(refused)('%j does not', (text) => expect(parseContentUrl(text, site)).toBe(null))

  it('may have a name in another script, when the base URL is the same name', () => {
    const idn = { baseUrl: 'https://bücher.example.test', downloadOrigins: [] }
    for (const text of [
      'https://bücher.example.test/v1',
      'https://xn--bcher-kva.example.test/v1',
      'https://BÜCHER.example.test/v1',
    ]) {
      expect(parseContentUrl(text, idn)?.parsed.host, text).toBe('xn--bcher-kva.example.test')
    }
    expect(parseContentUrl('https://bucher.example.test/v1', idn)).toBe(null)
  })
})

describe('the path that is fetched', () => {
  const fetched = (text: string, key = 'k y&', material = 'post 1/ü') => {
    const read = parseContentUrl(text, site)
    return read && downloadPath(read, key, material)
  }
  const added = 'api_key=k%20y%26&material_id=post%201%2F%C3%BC'

  it.each([
    ['https://svc.example.test/a/v1', `/a/v1?${added}`],
    ['https://svc.example.test/a/v1?', `/a/v1?${added}`],
    ['https://svc.example.test/a/v1?flag', `/a/v1?flag&${added}`],
    ['https://svc.example.test/a?x=1&x=2&a.b=%20+%2B&&=', `/a?x=1&x=2&a.b=%20+%2B&&=&${added}`],
    ['https://svc.example.test/a?api_key=theirs', `/a?api_key=theirs&${added}`],
    ['https://svc.example.test/a?u=https://x.test/?y', `/a?u=https://x.test/?y&${added}`],
    ['https://svc.example.test', `/?${added}`],
    ['https://SVC.example.test?x', `/?x&${added}`],
    [`https://svc.example.test/a|b^c{d}/./e?x='a'&y=<b>"c"`, `/a|b^c{d}/./e?x='a'&y=<b>"c"&${added}`],
    [`https://svc.example.test/ä/./b?x=<ü>&y='é\ud800`, `/%C3%A4/./b?x=<%C3%BC>&y='%C3%A9%EF%BF%BD&${added}`],
  ])('%s is asked as %s', (text, expected) => expect(fetched(text)).toBe(expected))

  it('can be written for ids that are no Unicode text', () => {
    expect(fetched('https://svc.example.test/v1', 'k', '\ud800')).toBe('/v1?api_key=k&material_id=%EF%BF%BD')
  })
})

describe('a material id', () => {
  const withCallback = { ...site, callbackUrl: 'https://cms.example.test/callback/acme' }

  it.each([
    'x:https://svc.example.test/integration/download/media/s/v1',
    ':https://svc.example.test/integration/download/media/s/v1',
    'a:b:HTTPS://SVC.example.test/x',
    'x:http://evil.test/:https://dl.example.test:8443/x?y=',
  ])('whose signature at opening would be that of a download is recognised: %s', (materialId) => {
    expect(readsAsDownload(materialId, withCallback)).toBe(true)
  })

  it.each([
    '',
    'post-1',
    'a:b:c',
    'https://cms.example.test/posts/1',
    'urn:https',
    'x:https://elsewhere.test/download/media/s/v1',
    // Not a URL of the service: the text before the first colon is never signed alone.
    'https://svc.example.test/integration/download/media/s/v1',
    'x:https:/svc.example.test/v1',
  ])('that cannot be read as a download may be opened: %j', (materialId) => {
    expect(readsAsDownload(materialId, withCallback)).toBe(false)
  })
})

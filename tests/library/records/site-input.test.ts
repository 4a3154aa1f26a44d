import { describe, expect, it } from 'vitest'

import type { SiteInput } from '../../../packages/library/records/site-input.ts'
import { publishText, readSiteInput, siteDefaults, siteInputOf } from '../../../packages/library/records/site-input.ts'

const good: SiteInput = {
  ...siteDefaults,
  allowedDomains: [],
  downloadOrigins: [],
  id: 'acme',
  name: 'Acme',
  baseUrl: 'https://svc.test/integration',
  apiKey: 'key',
  callbackUrl: 'https://site.test/callback/acme',
}

const read = (parts: Partial<Record<keyof SiteInput, unknown>>) => readSiteInput({ ...good, ...parts } as SiteInput)

describe('the settings of a site', () => {
  it('are those given over the defaults of the contract', () => {
    expect(readSiteInput(good)).toEqual({
      ok: true,
      value: {
        ...good,
        environment: 'prod',
        publicUrl: null,
        signatureHeader: 'X-Service-Signature',
        publish: { kind: 'listener' },
        unknownMaterials: 'refuse',
        callbackAuth: 'none',
        maxContentBytes: 209_715_200,
        requestTimeoutMs: 60_000,
        downloadTimeoutMs: 120_000,
      },
    })
  })

  it('keep the location of a bucket only with a bucket', () => {
    const bucket = { s3Endpoint: 'https://s3.example/', s3Region: 'eu-1', publicCheck: 'off' }
    const site = read({ publish: 's3:media/a', ...bucket })
    const publish = {
      kind: 's3',
      bucket: 'media',
      prefix: 'a',
      endpoint: 'https://s3.example',
      region: 'eu-1',
      publicCheck: 'off',
    }
    expect(site).toMatchObject({ ok: true, value: { publish } })
    if (site.ok) expect(readSiteInput(siteInputOf(site.value))).toEqual(site)
    expect(read({ publish: 'listener', ...bucket })).toMatchObject({ value: { publish: { kind: 'listener' } } })
    // Values of older versions stay exactly as stored, because they are hashed.
    const plain = read({ publish: 's3:media/a', s3Endpoint: null, s3Region: null, publicCheck: 'on' })
    expect(plain.ok && JSON.stringify(plain.value.publish)).toBe('{"kind":"s3","bucket":"media","prefix":"a"}')
  })

  it.each(['listener', 'folder:/srv/web', 'folder:C:\\web site', 's3:bucket', 's3:my.bucket/a/b'])(
    'publish to %s, and back to the form they are typed in',
    (publish) => {
      const site = read({ publish, allowedDomains: ['a.test'], downloadOrigins: ['https://dl.test'] })
      if (!site.ok) throw new Error(site.failure.problem)
      expect(publishText(site.value.publish)).toBe(publish)
      expect(readSiteInput(siteInputOf(site.value))).toEqual(site)
    },
  )

  const fine: readonly (readonly [keyof SiteInput, unknown, unknown])[] = [
    ['id', 'a', 'a'],
    ['id', `0${'x'.repeat(62)}`, `0${'x'.repeat(62)}`],
    ['id', 'A.b_c-9', 'A.b_c-9'],
    ['name', "  O'Neill & Söhne  ", "O'Neill & Söhne"],
    ['apiKey', ' key\n', 'key'],
    ['baseUrl', 'https://svc.test/', 'https://svc.test'],
    ['baseUrl', 'https://svc.test/integration///', 'https://svc.test/integration'],
    ['baseUrl', 'http://localhost:8080', 'http://localhost:8080'],
    ['baseUrl', 'http://[::1]:8080/x', 'http://[::1]:8080/x'],
    // Signed and sent values stay as typed if they are plain.
    ['callbackUrl', 'https://Site.test:443/a%2Fb/../c', 'https://Site.test:443/a%2Fb/../c'],
    // Otherwise they are normalized like in a browser.
    ['callbackUrl', '  https://site.test/cb  ', 'https://site.test/cb'],
    ['callbackUrl', 'HTTPS://site.test/cb', 'https://site.test/cb'],
    ['callbackUrl', 'https:site.test/cb', 'https://site.test/cb'],
    ['callbackUrl', 'https:\\\\site.test\\cb', 'https://site.test/cb'],
    ['callbackUrl', 'https:///site.test/cb', 'https://site.test/cb'],
    ['callbackUrl', 'https://si\nte.test/cb', 'https://site.test/cb'],
    ['publicUrl', 'https://bücher.test/ä', 'https://xn--bcher-kva.test/%C3%A4'],
    ['publicUrl', 'https://cdn.test/a"b<c>', 'https://cdn.test/a%22b%3Cc%3E'],
    ['publicUrl', null, null],
    ['downloadOrigins', ['https://DL.test/', 'http://127.0.0.1:1'], ['https://DL.test', 'http://127.0.0.1:1']],
    [
      'allowedDomains',
      [
        'example.test',
        '*.example.test',
        '.x.test',
        'localhost',
        '127.0.0.1',
        '[::1]',
        'a_b.test',
        'xn--bcher-kva.test',
      ],
      [
        'example.test',
        '*.example.test',
        '.x.test',
        'localhost',
        '127.0.0.1',
        '[::1]',
        'a_b.test',
        'xn--bcher-kva.test',
      ],
    ],
    ['signatureHeader', 'X-Other-Signature', 'X-Other-Signature'],
    ['publish', 's3:my.bucket//a/b//', { kind: 's3', bucket: 'my.bucket', prefix: 'a/b' }],
    ['maxContentBytes', 4 * 1024 ** 3, 4 * 1024 ** 3],
    ['requestTimeoutMs', 3_600_000, 3_600_000],
  ]
  it.each(fine)('%s may be %j, and is %j', (field, given, expected) => {
    const site = read({ [field]: given })
    expect(site).toMatchObject({ ok: true })
    expect(site).toMatchObject({ value: { [field]: expected } })
  })

  const wrong: readonly (readonly [keyof SiteInput, readonly unknown[], string])[] = [
    ['id', ['', '.', '..', '-a', '_a', 'a b', 'a/b', 'ä', 'x'.repeat(64), 'a\n', 'a%2F', undefined, 7], 'id'],
    ['name', ['', '   ', 'x'.repeat(201), undefined], 'name'],
    ['environment', ['', 'test', 'PROD', null], 'environment'],
    [
      'baseUrl',
      [
        '',
        'svc.test',
        '/x',
        'ftp://svc.test',
        'file:///x',
        'javascript:alert(1)',
        'https://',
        'https://u@svc.test',
        'https://u:p@svc.test',
        'https://:p@svc.test',
        'https://svc.test?x',
        'https://svc.test/?',
        'https://svc.test#x',
        'https://svc.test/#',
        "https://svc.test/it's",
        'https://svc.test/(a)',
        'https://svc.test/a;b',
        'https://svc.test/a,b',
        'https://svc.test/a&b',
        'https://svc.test:99999',
        null,
        undefined,
      ],
      'baseUrl',
    ],
    ['callbackUrl', ['', 'site.test', 'https://site.test/?x=1', null], 'callbackUrl'],
    ['publicUrl', ['', 'cdn.test', 'data:,x', undefined], 'publicUrl'],
    ['s3Endpoint', ['', 'storage.test', 'https://u:p@storage.test', 'https://storage.test/?x'], 's3Endpoint'],
    ['s3Region', ['', 'eu 1', 'x'.repeat(61), 'eu/1'], 's3Region'],
    ['publicCheck', ['yes', '', null], 'publicCheck'],
    ['apiKey', ['', ' ', 'x'.repeat(501), null], 'apiKey'],
    [
      'allowedDomains',
      [
        [''],
        ['https://a.test'],
        ['a.test:80'],
        ['a.test/'],
        ['*'],
        ['a..test'],
        ['*.*.test'],
        ['a b'],
        ['bü cher.test'],
        'a.test',
        null,
      ],
      'allowedDomains',
    ],
    [
      'downloadOrigins',
      [[''], ['dl.test'], ['https://a.test', 'ftp://b.test'], ['https://a.test/files'], null],
      'downloadOrigins',
    ],
    [
      'signatureHeader',
      ['', 'X Y', 'X:Y', 'X\r\nY', 'ü', 'x'.repeat(101), 'Authorization', 'content-type'],
      'signatureHeader',
    ],
    [
      'publish',
      ['', 'folder:', 'folder', 'Listener', 's3:', 's3:A', 's3:a', 's3:bucket/ü', 's3:bucket/a b', 'ftp:x'],
      'publish',
    ],
    ['unknownMaterials', ['', 'yes'], 'unknownMaterials'],
    ['callbackAuth', ['', 'digest'], 'callbackAuth'],
    ['maxContentBytes', [0, -1, 4 * 1024 ** 3 + 1, Number.NaN, Infinity, '5', null, 0.5], 'maxContentBytes'],
    ['requestTimeoutMs', [0, -1, 3_600_001, Number.NaN, 0.5], 'requestTimeoutMs'],
    ['downloadTimeoutMs', [0, -1, 3_600_001, Number.NaN, 1000.5], 'downloadTimeoutMs'],
  ]
  for (const [field, values, named] of wrong) {
    it.each(values.map((value) => [value]))(`${field} may not be %j`, (value) => {
      const site = read({ [field]: value })
      expect(site).toMatchObject({ ok: false, failure: { code: 'invalid_site', field: named } })
      expect(!site.ok && site.failure.problem.length).toBeGreaterThan(5)
    })
  }

  it('refuse unknown members, such as misspelt ones', () => {
    expect(read({ callbackURL: 'https://site.test' } as never)).toMatchObject({ ok: false })
  })
})

import { describe, expect, test } from 'vitest'

import { isSigned, sign } from '../../../packages/service/callbacks/signature.ts'

describe('signature', () => {
  // Vectors that other client libraries agree on, not computed by this code.
  test.each([
    [
      'my-secret',
      '42',
      'https://example.com/content',
      '244807e98e1e50b2daf8a8db13a94ddd6a72d7c8a80db91b2e84c6491bc5d4ce',
    ],
    [
      'test-secret',
      'M1',
      'https://verstka.test/download/abc',
      '51aa8f2b65c38a38b52eb527c5342db1273e3ed88f6fac05069ef78a09a0e8d6',
    ],
    [
      'test-secret',
      'site-1',
      'https://verstka.test/fonts/z',
      '0f198ad8de78d928cf33363eb9608d213b8efd46ed819b058558530973afd770',
    ],
    [
      'test-secret',
      'M1',
      'https://app.example.com/verstka/callback',
      'c104a2623fab2ea443c63797d52157f5eb26011c3faa6adb7a1fc4322c60afc7',
    ],
    ['test-secret', 'Привет', 'https://x.test/ю', '46171c86004a19110c4dfd773c2d513225a3e9ab387676e90b879b5599b84cef'],
  ])('%s over %s:%s', (secret, materialId, url, expected) => {
    expect(sign(secret, materialId, url)).toBe(expected)
    expect(isSigned(secret, materialId, url, ` ${expected} `)).toBe(true)
    expect(isSigned(`${secret}x`, materialId, url, expected)).toBe(false)
    expect(isSigned(secret, `${materialId}x`, url, expected)).toBe(false)
  })

  test.each([undefined, '', '00', 'é'.repeat(64), sign('s', 'm', 'u').toUpperCase(), `${sign('s', 'm', 'u')}00`])(
    'refuses the header %s',
    (header) => expect(isSigned('s', 'm', 'u', header)).toBe(false),
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { redactLine } from '../../../packages/platform/logging/redact.ts'

const letters = fc.stringMatching(/^[a-z]{3,12}$/)
const hidden = (line: string, secrets: readonly string[] = []): string => redactLine(line, new Set(secrets))

describe('a known secret', () => {
  /** Printable characters of several scripts, with everything that escapes treat in their own way. */
  const secrets = fc
    .tuple(
      fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{7}$/),
      fc.array(fc.constantFrom(...Array.from('aZ09+/=-_.~!$*()"\'\\@:;,<>&? éÅßñЖя中🙂')), { maxLength: 12 }),
      fc.stringMatching(/^[a-z]{2}$/),
    )
    .map(([head, middle, tail]) => `${head}${middle.join('')}${tail}`)

  const percent = (text: string): string => text.replaceAll(/[^]/gu, (sign) => percentOf(sign))
  const percentOf = (sign: string): string =>
    [...Buffer.from(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const unicode = (sign: string): string =>
    sign
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  const entity = (sign: string): string => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`

  /** Ways to write any text; a spelling is several of them, one after the other. */
  const ways: readonly ((text: string) => string)[] = [
    (text) => JSON.stringify(text).slice(1, -1),
    (text) => encodeURIComponent(text),
    (text) => new URLSearchParams({ x: text }).toString().slice(2),
    percent,
    (text) => text.normalize('NFD'),
    (text) => text.normalize('NFKC'),
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
  ]
  /** Each character escaped or not, as a generator says. */
  const mixed = (text: string, choices: readonly number[]): string =>
    Array.from(text)
      .map((sign, at) => [(raw: string) => raw, percentOf, unicode, entity][choices[at] ?? 0]?.(sign) ?? sign)
      .join('')

  it('is hidden in every spelling, and nothing around it', () => {
    fc.assert(
      fc.property(
        secrets,
        fc.array(fc.nat(3), { minLength: 32, maxLength: 32 }),
        fc.array(fc.constantFrom(...ways), { maxLength: 2 }),
        letters,
        letters,
        (secret, choices, then, before, after) => {
          const spelled = then.reduce((text, way) => way(text), mixed(secret, choices))
          fc.pre(!`${before}${after}`.includes(secret.toLowerCase()))
          expect(hidden(`${before} "${spelled}" ${after}`, [secret])).toBe(`${before} "[redacted]" ${after}`)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('is hidden inside Base64 of either alphabet, wherever it begins, and in hexadecimal', () => {
    fc.assert(
      fc.property(
        secrets,
        fc.string({ maxLength: 7 }),
        fc.string({ maxLength: 7 }),
        fc.constantFrom('base64', 'base64url', 'hex'),
        (secret, before, after, encoding) => {
          const written = Buffer.from(`${before}${secret}${after}`).toString(encoding)
          const shown = hidden(`x ${written} y`, [secret])
          expect(shown).toContain('[redacted]')
          const kept = shown.split('[redacted]').join('').length - 4
          // What is left are the characters around, and at each end one that it shares with its neighbours.
          expect(kept).toBeLessThanOrEqual(written.length - Math.floor(Buffer.from(secret).length * 1.33) + 4)
        },
      ),
    )
  })
})

describe('an unknown secret', () => {
  const names = fc.constantFrom(
    'api_key',
    'apiKey',
    'API-KEY',
    'X-Api-Key',
    'secret',
    'client_secret',
    'password',
    'Passwd',
    'access_key',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'session_id',
    'webhook_auth_token',
    'signature',
    'X-Amz-Signature',
  )
  const values = fc.stringMatching(/^[A-Za-z0-9+/._~-]{1,40}$/)
  const json = (name: string, value: string): string => JSON.stringify({ id: 1, [name]: value, last: 2 })
  const forms: readonly ((name: string, value: string) => string)[] = [
    (name, value) => `${name}=${value}`,
    (name, value) => `${name} = ${value}`,
    (name, value) => `${name}: ${value}`,
    (name, value) => `${name}: Bearer ${value}`,
    (name, value) => `${name}: session=${value}; path=/`,
    (name, value) => `${name}="${value}"`,
    (name, value) => `{ ${name}: '${value}' }`,
    (name, value) => `user[${name}]=${value}`,
    (name, value) => `https://host.test/x?a=b&${name}=${value}&c=d`,
    (name, value) => `next=${encodeURIComponent(`https://host.test/x?${name}=${value}`)}`,
    json,
    (name, value) => JSON.stringify(json(name, value)),
    (name, value) => JSON.stringify({ inner: JSON.stringify(json(name, value)) }),
  ]
  it('is hidden by its name', () => {
    fc.assert(
      fc.property(names, values, fc.constantFrom(...forms), letters, (name, value, form, before) => {
        const marked = `<${value}>`
        const shown = hidden(`${before} ${form(name, value)}`)
        expect(shown.startsWith(before)).toBe(true)
        expect(shown).toContain('[redacted]')
        expect(shown.replaceAll('[redacted]', '').length, `${shown} ${marked}`).toBeLessThanOrEqual(
          `${before} ${form(name, '')}`.length,
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    'GET /x?sig=abc HTTP/1.1',
    'GET /x?a=1&auth=abc',
    'GET /x?access_key=abc',
    'GET /x?key=abc',
    'cookie: session=abc; other=abc',
    'Authorization: Bearer abc',
    '"authorization","Bearer abc"',
    'password is wrong; password: abc abc',
    "{ 'client-secret' => 'abc' }",
  ])('in %s', (line) => {
    expect(hidden(line)).not.toContain('abc')
  })

  it('of another kind is hidden by its form', () => {
    const secret = fc.oneof(
      fc.stringMatching(/^[0-9a-fA-F]{64}$/),
      fc.uint8Array({ minLength: 32, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      letters.map((word) => `Bearer ${word}12345678`),
      letters.map((word) => `eyJ${word}abcdefgh.${word}.${word}`),
      letters.map((word) => `https://user:${word}secret@host.test/`),
    )
    fc.assert(
      fc.property(
        secret,
        letters,
        letters,
        fc.constantFrom(' ', '"', '(', '\n', '='),
        (secret, before, after, sign) => {
          const isMixed = !/^[^:]*$/.test(secret) || (/[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d/.test(secret))
          fc.pre(isMixed || !/[+/=]/.test(secret))
          const shown = hidden(`${before}${sign}${secret}${sign === '(' ? ') ' : ' '}${after}`)
          const inside = /:\/\/user:(.*)@|Bearer (.*)$/.exec(secret)?.slice(1).find(Boolean) ?? secret
          expect(shown).not.toContain(inside)
          expect(shown.startsWith(before)).toBe(true)
          expect(shown.endsWith(after)).toBe(true)
        },
      ),
    )
  })
})

describe('an e-mail address', () => {
  const atoms = fc.stringMatching(/^[A-Za-z0-9!#$&'*+/?^_`{|}~éЖ-]{1,10}$/)
  const quoted = fc.stringMatching(/^[a-z ,:;<>()]{1,10}$/).map((text) => `"${text}"`)
  const locals = fc
    .array(fc.oneof(atoms, quoted, fc.constant('(home)')), { minLength: 1, maxLength: 3 })
    .filter(([first = '', ...others]) => !/^['(]/.test([first, ...others].find((part) => part !== '(home)') ?? '('))
  const signs = fc.constantFrom('@', '＠', '﹫', '%40', '%2540', '\\u0040', '\\\\u0040', '&#64;', '&#x40;', '&commat;')
  it('is hidden in every spelling of its parts', () => {
    fc.assert(
      fc.property(locals, signs, letters, letters, (parts, sign, host, before) => {
        const shown = hidden(`${before} ${parts.join('')}${sign}${host}.example ${before}`)
        expect(shown).toBe(`${before} [redacted] ${before}`)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what helps to find a cause stays', () => {
  it.each([
    'an error in Galley: TypeError at readSecret (packages/library/secrets/site-secrets.ts:40) at async access-token.ts:12:3',
    'a statement took 61 ms: UPDATE local.secret_mark SET secret = ? WHERE key = ? AND site = ?',
    'the task export failed: Error ENOSPC at write (packages/sites/exporting/write-bundle.ts:88)',
    'save 01J9ZQ could not be stored: RangeError at decode (node_modules/react-dom/cjs/react-dom-client.production.js:1)',
    'offline from the team: the bucket does not respond (ECONNREFUSED 127.0.0.1:9000)',
    'too many connections or too much data at once; refusing some requests from 192.0.2.1',
    'the key of this: nothing',
  ])('%s', (line) => {
    expect(hidden(line, ['another-secret-value'])).toBe(line)
  })
})

it('takes time that grows with the line alone', () => {
  const processorMs = (line: string): number => {
    const began = process.threadCpuUsage()
    hidden(line, ['s3cret-of-a-site'])
    const { user, system } = process.threadCpuUsage(began)
    return (user + system) / 1000
  }
  const hostile = [
    'a',
    '\\',
    '"',
    '")',
    '"@',
    '(@',
    '%25',
    '%40',
    'a=',
    'key=',
    'secret: "',
    '\\"',
    '&#',
    '\\\\u0040',
    'e\u0301',
    '\u0301',
    'x@',
    ' ',
    ': ',
    'bearer ',
    '[',
    "']",
  ]
  for (const part of hostile) {
    const long = part.repeat(Math.ceil(100_000 / part.length))
    hidden(long.slice(0, 1_000))
    expect(processorMs(long), part).toBeLessThan(4_000)
  }
})

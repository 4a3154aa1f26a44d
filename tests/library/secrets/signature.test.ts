import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'

import {
  authorizationHeader,
  isAuthorized,
  isSigned,
  otherSignedHeader,
  sign,
} from '../../../packages/library/secrets/signature.ts'

describe('signatures', () => {
  const right = createHmac('sha256', 'geheim').update('post-1:https://svc.test/a').digest('hex')

  it('are the HMAC of material and url', () => {
    expect(sign('post-1', 'https://svc.test/a', 'geheim')).toBe(right)
    expect(isSigned('post-1', 'https://svc.test/a', right, 'geheim')).toBe(true)
    expect(isSigned('post-1', 'https://svc.test/a', `\t ${right} `, 'geheim')).toBe(true)
  })

  it('match one material, one URL and one secret', () => {
    for (const [material, url, secret] of [
      ['post-2', 'https://svc.test/a', 'geheim'],
      ['post-1', 'https://svc.test/b', 'geheim'],
      ['post-1', 'https://svc.test/a', 'geheim '],
      ['post-1', 'https://svc.test/a', ''],
      ['', '', 'geheim'],
    ] as const) {
      expect(isSigned(material, url, right, secret)).toBe(false)
    }
  })

  it('in any other form than 64 lower-case hex digits are never compared', () => {
    for (const header of [
      undefined,
      '',
      ' ',
      right.toUpperCase(),
      `${right}zz`,
      `${right}00`,
      right.slice(2),
      `${right}, ${right}`,
      `"${right}"`,
      `0x${right.slice(2)}`,
      '０'.repeat(64),
    ]) {
      expect(isSigned('post-1', 'https://svc.test/a', header, 'geheim')).toBe(false)
    }
  })
})

describe('a signature in another header', () => {
  const signed = { materialId: 'post-1', url: 'https://svc.test/a', secret: 'geheim' }
  const right = sign('post-1', 'https://svc.test/a', 'geheim')
  const noise = (count: number, value = 'b'.repeat(64)) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-noise-${at}`, value]))
  const foundIn = (headers: Readonly<Record<string, string | string[]>>) =>
    otherSignedHeader(signed, headers, 'X-Service-Signature')

  it('is found among 20 that look like one, and not behind them', () => {
    expect(foundIn({ ...noise(19), 'x-other': right })).toBe('x-other')
    expect(foundIn({ ...noise(20), 'x-other': right })).toBeNull()
    expect(foundIn({ 'x-other': right, ...noise(1000) })).toBe('x-other')
  })

  it.each([right.toUpperCase(), right.slice(2), `${right}00`, 'geheim', '', 'g'.repeat(64)])(
    'is looked for in 64 hex digits only; others are no trial, as %s',
    (value) => {
      expect(foundIn({ 'x-other': value })).toBeNull()
      expect(foundIn({ ...noise(1000, value), 'x-other': right })).toBe('x-other')
    },
  )

  it('is neither the own header, nor a list, nor in a name that a site cannot have', () => {
    expect(foundIn({ 'x-service-signature': right })).toBeNull()
    expect(foundIn({ 'x-other': [right] })).toBeNull()
    expect(foundIn({ authorization: right })).toBeNull()
    expect(foundIn({ 'x-other': sign('post-2', 'https://svc.test/a', 'geheim') })).toBeNull()
  })
})

describe('Authorization', () => {
  const basic = { user: 'gälley', password: 'p:w' }

  it('is formatted like the service does', () => {
    expect(authorizationHeader(basic)).toBe(`Basic ${Buffer.from('gälley:p:w').toString('base64')}`)
    expect(authorizationHeader({ user: 'token', password: null })).toBe('Bearer token')
    expect(authorizationHeader({ user: 'Bearer token', password: null })).toBe('Bearer token')
    expect(authorizationHeader({ user: 'u', password: '' })).toBe(`Basic ${Buffer.from('u:').toString('base64')}`)
  })

  it('must match exactly, except for the case of its scheme', () => {
    const right = authorizationHeader(basic)
    for (const header of [right, right.replace('Basic', 'basic'), right.replace('Basic', 'BASIC')])
      expect(isAuthorized(header, basic), header).toBe(true)
    expect(isAuthorized('bearer token', { user: 'Bearer token', password: null })).toBe(true)
    for (const header of [
      undefined,
      '',
      right.slice(0, -1),
      `${right}=`,
      right.toLowerCase(),
      `${right}, ${right}`,
      'Bearer gälley',
    ]) {
      expect(isAuthorized(header, basic), header).toBe(false)
    }
  })
})

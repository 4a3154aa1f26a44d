import { describe, expect, it } from 'vitest'

import { plainAddresses } from '../../../packages/library/records/plain-http.ts'

const site = (parts: Partial<Parameters<typeof plainAddresses>[0]> = {}) => ({
  environment: 'prod' as const,
  baseUrl: 'https://svc.test/integration',
  callbackUrl: 'https://cms.test/callback/acme',
  downloadOrigins: ['https://files.test'],
  ...parts,
})

describe('the addresses of a site that are not encrypted', () => {
  it('are each listed with their field', () => {
    expect(plainAddresses(site())).toEqual([])
    const plain = {
      baseUrl: 'http://svc.test/i',
      callbackUrl: 'http://cms.test/c',
      downloadOrigins: ['https://a.test', 'http://b.test'],
    }
    expect(plainAddresses(site(plain))).toEqual([
      { field: 'baseUrl', url: 'http://svc.test/i' },
      { field: 'callbackUrl', url: 'http://cms.test/c' },
      { field: 'downloadOrigins', url: 'http://b.test' },
    ])
  })

  it('do not matter for a site in development', () => {
    expect(plainAddresses(site({ environment: 'dev', baseUrl: 'http://svc.test/i' }))).toEqual([])
  })

  it.each([
    'http://127.0.0.1:8787/x',
    'http://127.255.0.9',
    'http://127.1/x',
    'http://[::1]:80',
    'http://localhost',
    'HTTP://LOCALHOST:1',
    'https://h.test',
    'http://',
    'h.test',
    '',
  ])('%j is none', (baseUrl) => expect(plainAddresses(site({ baseUrl }))).toEqual([]))

  it.each([
    'http://h.test',
    'HTTP://h.test',
    ' http://h.test',
    'http://10.0.0.1',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:127.0.0.1]',
    'http://localhost.h.test',
    'http://127.0.0.1.h.test',
    'http://localhost@h.test',
    'http://1270.test',
  ])('%j is one', (baseUrl) => expect(plainAddresses(site({ baseUrl }))).toEqual([{ field: 'baseUrl', url: baseUrl }]))
})

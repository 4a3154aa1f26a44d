import { describe, expect, it } from 'vitest'

import { secretsFromEnvironment, variablePart } from '../../../packages/library/secrets/from-environment.ts'

describe('the variable of a site', () => {
  it.each([
    ['acme', 'ACME'],
    ['Acme-2', 'ACME_2'],
    ['a.b_c-d', 'A_B_C_D'],
    ['0', '0'],
    ['ACME', 'ACME'],
    // Upper case in another alphabet is still another character.
    ['straße', 'STRASSE'],
    ['é', '_'],
  ])('%s is read from ..._%s', (site, part) => expect(variablePart(site)).toBe(part))
})

describe('secrets from the environment', () => {
  const secrets = (environment: Record<string, string | undefined>) => secretsFromEnvironment(environment)

  it('are the exact values; an empty one is missing', async () => {
    const { secret, presence, writer } = secrets({ GALLEY_SECRET_ODD_ONE_1: ' s p:ä ', GALLEY_SECRET_EMPTY: '' })
    expect(await secret('odd.one-1')).toEqual({ ok: true, value: ' s p:ä ' })
    expect(await presence('odd.one-1')).toBe('stored')
    for (const site of ['empty', 'other', 'constructor', '__proto__', 'toString']) {
      expect(await secret(site)).toEqual({ ok: false, failure: 'missing' })
      expect(await presence(site)).toBe('missing')
    }
    expect(writer).toBe(null)
  })

  const auth = (value: string | undefined, callbackAuth: 'none' | 'basic' | 'bearer') =>
    secrets({ GALLEY_CALLBACK_AUTH_ACME: value }).callbackAuth({ id: 'acme', callbackAuth })

  it('contain callback credentials as user:password, split at the first colon', async () => {
    expect(await auth('u:p', 'basic')).toEqual({ ok: true, value: { user: 'u', password: 'p' } })
    expect(await auth('u:p:q\nr ', 'basic')).toEqual({ ok: true, value: { user: 'u', password: 'p:q\nr ' } })
    for (const value of [undefined, '', 'u', 'u:', ':p', ':']) {
      expect(await auth(value, 'basic'), String(value)).toEqual({ ok: false, failure: 'credentials_missing' })
    }
  })

  it('contain a bearer token unchanged', async () => {
    expect(await auth('to:ken', 'bearer')).toEqual({ ok: true, value: { user: 'to:ken', password: null } })
    expect(await auth(undefined, 'bearer')).toEqual({ ok: false, failure: 'credentials_missing' })
    expect(await auth(undefined, 'none')).toEqual({ ok: true, value: null })
  })
})

import { describe, expect, it } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import { archiveFacts, sessionMetadata } from '../../../packages/wire/protocol/metadata.ts'

describe('archiveFacts', () => {
  it.each([
    [
      '{"version_id":"v1","version_cdate":"2026-01-02T03:04:05+00:00","user_email":"a@b.test"}',
      'v1',
      '2026-01-02T03:04:05+00:00',
      'a@b.test',
    ],
    ['{"version_id":12345678901234567890,"version_cdate":5}', '12345678901234567890', null, null],
    [
      '{"version_id":"","session":{"version_id":"in","user_email":"e"},"last":{"version_cdate":"c","version_id":"later"}}',
      'in',
      'c',
      'e',
    ],
    ['{"session":{"version_id":"in"},"version_id":"top"}', 'top', null, null],
    ['{"version_id":"1","version_id":"2"}', '2', null, null],
    ['[{"version_id":"1"}]', null, null, null],
    ['{"version_id":"1"', null, null, null],
  ])('reads %s', (text, versionId, versionCdate, userEmail) => {
    expect(archiveFacts(text)).toEqual({ versionId, versionCdate, userEmail })
  })
})

describe('sessionMetadata', () => {
  const basic = { user: 'u"', password: 'p' }
  it.each([
    [null, null, '{"version":"galley_1"}'],
    [null, basic, '{"version":"galley_1","webhook_auth_user":"u\\"","webhook_auth_password":"p"}'],
    [null, { user: 't', password: null }, '{"version":"galley_1","webhook_auth_user":"t"}'],
    ['{"n" : 1.0 }', null, '{"n" : 1.0,"version":"galley_1" }'],
    ['{"\\u0076ersion":2}', null, '{"\\u0076ersion":2}'],
    ['{"version":"mine"}', basic, '{"version":"mine","webhook_auth_user":"u\\"","webhook_auth_password":"p"}'],
    ['{"x":{"webhook_auth_user":1}}', null, '{"x":{"webhook_auth_user":1},"version":"galley_1"}'],
  ])('%s with %j', (caller, credentials, expected) => {
    expect(sessionMetadata(caller, 'galley_1', credentials)).toEqual({
      ok: true,
      value: { text: expected, kept: caller ?? '{}', replaced: [], secrets: [] },
    })
  })

  it("sends the caller's credentials if the site has none, and stores none of their values", () => {
    const caller = '{"webhook_auth_user" : "me","a":1.0,"webhook_auth_password":"pass"}'
    expect(sessionMetadata(caller, 'galley_1', null)).toEqual({
      ok: true,
      value: {
        text: '{"webhook_auth_user" : "me","a":1.0,"webhook_auth_password":"pass","version":"galley_1"}',
        kept: '{"webhook_auth_user" : null,"a":1.0,"webhook_auth_password":null}',
        replaced: [],
        secrets: ['me', 'pass'],
      },
    })
    const empty = '{"webhook_auth_user":"","version":1}'
    expect(sessionMetadata(empty, 'galley_1', null)).toMatchObject({ value: { text: empty, kept: empty, secrets: [] } })
  })

  it("sends the site's own credentials instead of the caller's, and reports what they replaced", () => {
    const caller = '{"webhook_auth_user":"me","a":1.0,"webhook_auth_password":null,"version":1}'
    expect(sessionMetadata(caller, 'galley_1', { user: 'token', password: null })).toEqual({
      ok: true,
      value: {
        text: '{"a":1.0,"version":1,"webhook_auth_user":"token"}',
        kept: '{"a":1.0,"version":1}',
        replaced: ['webhook_auth_user', 'webhook_auth_password'],
        secrets: [],
      },
    })
  })

  it.each([
    ['[]', cause('not_json_object')],
    ['{', cause('not_json', { why: cause('at_character', { why: cause('ends_early'), name: 1 }) })],
    ['{"webhook_auth_password":null}', cause('metadata_lost', { name: 'webhook_auth_password' })],
  ])('refuses %s', (caller, problem) => {
    expect(sessionMetadata(caller, 'galley_1', null)).toEqual({ ok: false, failure: { problem } })
  })
})

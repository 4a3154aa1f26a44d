import { expect, test } from 'vitest'

import { mergeMetadata } from '../../../packages/service/sessions/open-session.ts'

const stored =
  '{"a":1,"version_id":"v1","version_cdate":"2026-01-01T00:00:00.000+00:00","user_email":"a@b","user_ip":"::1"}'
const serviceKeys = { version_id: 'v1', version_cdate: '2026-01-01T00:00:00.000+00:00' }

test.each([
  ['{}', { ...serviceKeys, user_email: 'a@b', user_ip: '::1' }],
  ['{"b":{"c":[]}}', { b: { c: [] }, ...serviceKeys, user_email: 'a@b', user_ip: '::1' }],
  ['{"version_id":"mine","version_cdate":"never"}', { ...serviceKeys, user_email: 'a@b', user_ip: '::1' }],
  ['{"user_email":"","user_ip":7}', { ...serviceKeys, user_email: 'a@b', user_ip: '::1' }],
  ['{"user_email":null,"user_ip":"10.0.0.1"}', { ...serviceKeys, user_email: 'a@b', user_ip: '10.0.0.1' }],
  ['{"user_email":"c@d","user_email":""}', { ...serviceKeys, user_email: 'a@b', user_ip: '::1' }],
  ['{"user_email":"c@d"}', { ...serviceKeys, user_email: 'c@d', user_ip: '::1' }],
])('%s', (passed, expected) => expect(JSON.parse(mergeMetadata(stored, passed))).toEqual(expected))

test('a session that was never saved accepts no version from the site', () =>
  expect(mergeMetadata('{}', '{"version_id":"mine","n":12345678901234567890}')).toBe('{"n":12345678901234567890}'))

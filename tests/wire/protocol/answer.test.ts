import { describe, expect, it } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import { failureAnswer, successFrame } from '../../../packages/wire/protocol/answer.ts'
import type { CallbackFailure, FailureCode } from '../../../packages/wire/protocol/failure.ts'
import { everyFailure, secretsStates } from '../support/every-failure.ts'

/** docs/api.md, section 3, and 500 for the one that only a replay can end with. */
const statuses: Record<FailureCode, number> = {
  refused: 200,
  invalid_archive: 200,
  missing_asset: 200,
  domain_not_allowed: 200,
  version_conflict: 200,
  content_too_large: 200,
  storage_failed: 500,
  archive_not_kept: 500,
  secrets_unavailable: 503,
  site_unconfirmed: 503,
  download_failed: 502,
  invalid_signature: 400,
  invalid_request: 400,
  unknown_event: 400,
  foreign_content_url: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_type: 415,
  timeout: 408,
  busy: 503,
  forbidden_host: 403,
  forbidden_origin: 403,
}

describe.each(Object.values(everyFailure).flat())('the answer to $kind', (failure) => {
  const answer = failureAnswer(failure)

  it('has the status of its table, rc 0 and its code', () => {
    expect([answer.httpStatus, answer.body.rc, answer.body.code]).toEqual([statuses[failure.kind], 0, failure.kind])
    expect(['refused', 'rejected', 'failed']).toContain(answer.outcome)
    // Failures that the sender cannot fix with other content are Galley's, and have a status of 5xx.
    expect(answer.outcome === 'failed').toBe(answer.httpStatus >= 500)
  })

  it('is text for a person: whole sentences, with every fact in its place', () => {
    const { rm } = answer.body
    expect(rm).toMatch(/^[A-Z][^\n]*\.$/)
    expect(rm).not.toMatch(/undefined|null|NaN|\[object|\$\{|\{\w*\}|%[sdj]|\bTODO\b| {2}|\.\./)
    expect(JSON.parse(JSON.stringify(answer.body))).toEqual(answer.body)
  })

  it('describes the effect on the data', () => {
    expect(answer.body.rm).toMatch(/[Nn]othing was|not stored/)
  })
})

it('includes the facts', () => {
  const rm = (failure: CallbackFailure) => failureAnswer(failure).body.rm
  expect(rm({ kind: 'too_large', limitBytes: 4 * 1024 * 1024 })).toContain('4 MB')
  expect(rm({ kind: 'content_too_large', what: cause('size'), limit: 200 * 1024 * 1024 })).toContain(
    'its size is more than 200 MB',
  )
  expect(rm({ kind: 'content_too_large', what: cause('entry_count'), limit: 20_000 })).toContain('more than 20000.')
  expect(rm({ kind: 'missing_asset', names: ['a', 'b', 'c'] })).toContain('a, b, c.')
  expect(rm({ kind: 'missing_asset', names: ['a', 'b', 'c', 'd', 'e'] })).toContain('a, b, c and 2 more.')
  expect(rm({ kind: 'version_conflict', versionId: 'v1' })).toContain('v1')
  expect(new Set(secretsStates.map((state) => rm({ kind: 'secrets_unavailable', state }))).size).toBe(4)
})

describe('the success answer', () => {
  it.each([
    ['article_saved', true, '{"rc":1,"rm":"Saved successfully","data":{"vms_json":{"a":1.0}}}'],
    ['site_fonts_updated', true, '{"rc":1,"rm":"Fonts saved successfully","data":{"fonts":{"a":1.0}}}'],
    ['site_fonts_updated', false, '{"rc":1,"rm":"Fonts saved successfully","data":{}}'],
  ] as const)('of %s, with data: %s', (event, hasData, expected) => {
    const { before, after } = successFrame(event, hasData)
    expect(before + (hasData ? '{"a":1.0}' : '') + after).toBe(expected)
  })
})

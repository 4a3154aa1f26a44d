import { describe, expect, it } from 'vitest'

import { failureAnswer, successFrame } from '../../src/contract/answer.ts'
import type { CallbackFailure, FailureCode } from '../../src/contract/failure.ts'

const secretsStates = ['missing', 'locked', 'unavailable', 'changed'] as const

/** Every kind of failure with every fact that changes its words. A new kind does not compile until it stands here. */
const failures: { readonly [Code in FailureCode]: readonly Extract<CallbackFailure, { kind: Code }>[] } = {
  forbidden_host: [{ kind: 'forbidden_host' }],
  forbidden_origin: [{ kind: 'forbidden_origin' }],
  not_found: [{ kind: 'not_found' }],
  method_not_allowed: [{ kind: 'method_not_allowed' }],
  unsupported_type: [{ kind: 'unsupported_type' }],
  too_large: [{ kind: 'too_large', limitBytes: 4 * 1024 * 1024 }],
  timeout: [{ kind: 'timeout' }],
  busy: [{ kind: 'busy' }],
  unauthorized: [{ kind: 'unauthorized' }],
  invalid_request: [{ kind: 'invalid_request', problem: 'it is not JSON' }],
  secrets_unavailable: secretsStates.map((state) => ({ kind: 'secrets_unavailable', state })),
  invalid_signature: [
    { kind: 'invalid_signature', header: 'missing' },
    { kind: 'invalid_signature', header: 'wrong' },
  ],
  unknown_event: [{ kind: 'unknown_event' }],
  foreign_content_url: [{ kind: 'foreign_content_url' }],
  refused: [{ kind: 'refused', reason: 'Nobody may save here. Nothing was saved.' }],
  download_failed: [{ kind: 'download_failed', reason: 'the service refuses connections' }],
  content_too_large: [
    { kind: 'content_too_large', what: 'its size', limit: 200 * 1024 * 1024 },
    { kind: 'content_too_large', what: 'its number of files', limit: 20_000 },
  ],
  invalid_archive: [{ kind: 'invalid_archive', problem: 'it is not a ZIP' }],
  missing_asset: [
    { kind: 'missing_asset', names: ['a.png'] },
    { kind: 'missing_asset', names: ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'] },
  ],
  domain_not_allowed: [{ kind: 'domain_not_allowed', hosts: ['cdn.test'] }],
  version_conflict: [{ kind: 'version_conflict', versionId: 'v1' }],
  storage_failed: [{ kind: 'storage_failed', reason: 'the disk is full' }],
  archive_not_kept: [{ kind: 'archive_not_kept' }],
}

/** INTERFACES section 3, and 500 for the one that only a replay can end with. */
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

describe.each(Object.values(failures).flat())('the answer to $kind', (failure) => {
  const answer = failureAnswer(failure)

  it('has the status of its table, rc 0 and its code', () => {
    expect([answer.httpStatus, answer.body.rc, answer.body.code]).toEqual([statuses[failure.kind], 0, failure.kind])
    expect(['refused', 'rejected', 'failed']).toContain(answer.outcome)
    // What the sender cannot mend by another content is a failure of ours, and those are the 5xx.
    expect(answer.outcome === 'failed').toBe(answer.httpStatus >= 500)
  })

  it('is words for a person: whole sentences, with every fact in its place', () => {
    const { rm } = answer.body
    expect(rm).toMatch(/^[A-Z][^\n]*\.$/)
    expect(rm).not.toMatch(/undefined|null|NaN|\[object|\$\{|\{\w*\}|%[sdj]|\bTODO\b| {2}|\.\./)
    expect(JSON.parse(JSON.stringify(answer.body))).toEqual(answer.body)
  })

  it('says what it means for the data', () => {
    expect(answer.body.rm).toMatch(/[Nn]othing was|Only POST|not kept|Nothing was kept/)
  })
})

it('names the facts', () => {
  const rm = (failure: CallbackFailure) => failureAnswer(failure).body.rm
  expect(rm({ kind: 'too_large', limitBytes: 4 * 1024 * 1024 })).toContain('4 MB')
  expect(rm({ kind: 'content_too_large', what: 'its size', limit: 200 * 1024 * 1024 })).toContain(
    'its size is more than 200 MB',
  )
  expect(rm({ kind: 'content_too_large', what: 'its number of files', limit: 20_000 })).toContain('more than 20000.')
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

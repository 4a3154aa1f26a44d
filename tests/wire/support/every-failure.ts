import { cause } from '../../../packages/wire/cause.ts'
import type { CallbackFailure, FailureCode, RefusalRule } from '../../../packages/wire/protocol/failure.ts'

export const secretsStates = ['missing', 'locked', 'unavailable', 'changed'] as const

const refusalRules: readonly RefusalRule[] = [
  'paused_everywhere',
  'paused',
  'unknown_material',
  'material',
  'editor',
  'expired_token',
]

/** Every kind of failure with every fact that changes its message. A new kind does not compile until it is listed here. */
export const everyFailure: { readonly [Code in FailureCode]: readonly Extract<CallbackFailure, { kind: Code }>[] } = {
  forbidden_host: [{ kind: 'forbidden_host' }],
  forbidden_origin: [{ kind: 'forbidden_origin' }],
  not_found: [{ kind: 'not_found' }],
  method_not_allowed: [{ kind: 'method_not_allowed' }],
  unsupported_type: [{ kind: 'unsupported_type' }],
  too_large: [{ kind: 'too_large', limitBytes: 4 * 1024 * 1024 }],
  timeout: [{ kind: 'timeout' }],
  busy: [{ kind: 'busy' }, { kind: 'busy', state: 'closing' }],
  unauthorized: [{ kind: 'unauthorized' }],
  invalid_request: [{ kind: 'invalid_request', problem: cause('not_json_object') }],
  site_unconfirmed: [{ kind: 'site_unconfirmed' }],
  secrets_unavailable: secretsStates.map((state) => ({ kind: 'secrets_unavailable', state })),
  invalid_signature: [
    { kind: 'invalid_signature', header: 'missing' },
    { kind: 'invalid_signature', header: 'wrong' },
  ],
  unknown_event: [{ kind: 'unknown_event' }],
  foreign_content_url: [{ kind: 'foreign_content_url' }],
  refused: refusalRules.map((rule) => ({ kind: 'refused', rule, reason: 'We move house' })),
  download_failed: [
    { kind: 'download_failed', reason: cause('service_refuses') },
    ...[302, 403, 404, 503].map((status) => ({
      kind: 'download_failed' as const,
      reason: cause('service_status', { name: status }),
      status,
    })),
  ],
  content_too_large: [
    { kind: 'content_too_large', what: cause('size'), limit: 200 * 1024 * 1024 },
    { kind: 'content_too_large', what: cause('entry_count'), limit: 20_000 },
  ],
  invalid_archive: [{ kind: 'invalid_archive', problem: cause('not_zip') }],
  missing_asset: [
    { kind: 'missing_asset', names: ['a.png'] },
    { kind: 'missing_asset', names: ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'] },
  ],
  domain_not_allowed: [{ kind: 'domain_not_allowed', hosts: ['cdn.test'] }],
  version_conflict: [{ kind: 'version_conflict', versionId: 'v1' }],
  storage_failed: [{ kind: 'storage_failed', reason: cause('disk_full') }],
  archive_not_kept: [{ kind: 'archive_not_kept' }],
}

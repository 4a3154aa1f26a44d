import type { CallProblem } from '@galley/library/records'
import type { PublishFailure } from '@galley/sites'

/** Why a site was not published, in the form that the window shows. */
export function publishProblem(failure: PublishFailure): CallProblem {
  switch (failure.kind) {
    case 'busy':
    case 'not_ours':
    case 'invalid_base_url':
    case 'broken_links':
      return { code: failure.kind, facts: { state: 'publishing' } }
    case 'invalid_theme': {
      const { kind: code, file, line, problem } = failure
      return { code, facts: { file, line, problem, ...(line === null && { state: 'file' }) } }
    }
    case 'unsafe_target':
    case 'foreign_file':
    case 'unreliable_target':
      return { code: failure.kind, facts: { path: failure.path, state: 'publishing' } }
    case 'damaged_blob':
      return { code: failure.kind, facts: { name: failure.name, state: 'publishing' } }
    case 'io_failed':
      return { code: failure.kind, facts: { state: 'publishing' } }
    case 'library_read_only':
    case 'target_unconfirmed':
      return { code: failure.kind }
    case 'target_foreign':
      return { code: failure.kind, facts: { reason: failure.reason } }
    case 'many_removals':
      return { code: failure.kind, facts: { removed: failure.removed, pages: failure.pages } }
    case 'target_failed':
    case 'not_recorded':
      return { code: failure.kind, facts: { reason: failure.reason, state: failure.aftermath } }
    case 'not_public':
      return { code: failure.kind, facts: { reason: failure.reason } }
    case 'not_verified': {
      const { path, reason, aftermath: state } = failure
      return reason === null
        ? { code: failure.kind, facts: { path, state } }
        : { code: 'target_failed', facts: { reason, state } }
    }
    case 'unknown_release':
    case 'release_not_kept':
      return { code: failure.kind }
    case 'publish_stopped':
      return failure.aftermath === 'mixed' ? { code: 'publish_stopped' } : { code: 'cancelled' }
  }
}

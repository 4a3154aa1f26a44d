import type { SaveSiteFailure } from '@galley/library'
import type { CallProblem } from '@galley/library/records'

/** The problem for the window when a site could not be saved. */
export function siteProblem(failure: SaveSiteFailure): CallProblem {
  switch (failure.kind) {
    case 'invalid_site': {
      const { kind: code, field, reason } = failure
      return { code, field, facts: { state: reason ?? field } }
    }
    case 'secrets_read_only':
      return { code: failure.kind, field: 'secret' }
    case 'secrets_unavailable': {
      const { kind: code, step, state } = failure
      return {
        code,
        ...(step === 'secret' && { field: step }),
        ...(step === 'bucket_keys' && { field: 'bucketKeys' }),
        facts: { state: `${step}_${state}` },
      }
    }
  }
}

import type { CallProblem } from '../../../../contract/ipc/problem.ts'
import type { SaveSiteFailure } from '../../../use-cases/sites/site-settings.ts'
import { describeKeychainFailure } from '../../../use-cases/sites/kept-secrets.ts'

/** Why a site could not be saved, as the window is told of it. */
export function siteProblem(failure: SaveSiteFailure): CallProblem {
  switch (failure.kind) {
    case 'invalid_site': {
      const { kind: code, field, problem, reason } = failure
      return { code, message: sentence(problem), field, facts: { state: reason ?? field } }
    }
    case 'secrets_read_only':
      return {
        code: failure.kind,
        message: 'Secrets come from the environment here and cannot be changed in the window. Leave the field empty.',
        field: 'secret',
      }
    case 'secrets_unavailable': {
      const { kind: code, step, state } = failure
      const message = describeKeychainFailure(failure)
      return {
        code,
        message,
        ...(step === 'secret' && { field: step }),
        ...(step === 'bucket_keys' && { field: 'bucketKeys' }),
        facts: { state: `${step}_${state}` },
      }
    }
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

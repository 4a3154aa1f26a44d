import type { Cause } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { connectionCause } from './bucket-answer.ts'

/** Why a file cannot be read at its public URL, and whether another try may succeed. */
export interface PublicProblem {
  readonly problem: Cause
  readonly isPassing: boolean
}

/** Why a public URL that answers with another status than 200 does not serve the file. */
export function refusedWith(status: number): PublicProblem {
  const about = { name: status }
  if (status >= 300 && status < 400) return { problem: cause('public_redirect', about), isPassing: false }
  if (status === 401 || status === 403) return { problem: cause('public_forbidden', about), isPassing: false }
  if (status >= 500 || status === 429) return { problem: cause('public_failed', about), isPassing: true }
  // Some servers publish a new file only after a moment.
  return { problem: cause('public_missing', about), isPassing: true }
}

/** Why a public URL does not answer; throws an error that has another reason. */
export function unreachedBecause(error: unknown): PublicProblem {
  const lost = connectionCause(error, 'public')
  if (lost === null) throw error
  return { problem: lost.reason, isPassing: lost.again }
}

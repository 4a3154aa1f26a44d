import type { Result } from '@galley/wire'
import { fail } from '@galley/wire'

import type { Answer } from '../views/problem.ts'
import type { CareFailure } from './run.ts'

/** Converts the result of a care operation for the window. */
export function careAnswer<Value>(ended: Result<Value, CareFailure>): Answer<Value> {
  if (ended.ok) return ended
  const { kind, ...facts } = ended.failure
  // A fault of a chosen file has its own code, because the library is not affected.
  const code = kind === 'file_failed' ? 'care_failed' : kind
  const isPruned = ended.failure.kind === 'busy' && ended.failure.pruned
  return fail({ code, facts: { ...facts, ...(isPruned && { state: 'pruned' }) } })
}

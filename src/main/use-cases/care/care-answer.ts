import type { Answer } from '../../../contract/ipc/problem.ts'
import type { Result } from '../../../contract/result.ts'
import { fail } from '../../../contract/result.ts'
import type { CareFailure } from './run.ts'

/** How a piece of library care ended, as the window is told of it. */
export function careAnswer<Value>(ended: Result<Value, CareFailure>): Answer<Value> {
  if (ended.ok) return ended
  const { kind, ...facts } = ended.failure
  // A file that somebody chose could not be read or written: that is told apart, since it leaves the library as it is.
  const code = kind === 'file_failed' ? 'care_failed' : kind
  const state = stateOf(ended.failure)
  return fail({ code, facts: { ...facts, ...(state && { state }) } })
}

/** Which case of its code a failure is, where an export or another piece of care may end with the same. */
function stateOf(failure: CareFailure): string | null {
  if (failure.kind === 'not_ours') return 'backup'
  return failure.kind === 'busy' && failure.pruned ? 'pruned' : null
}

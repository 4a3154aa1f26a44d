import type { CallProblem } from '@galley/library/records'
import type { TeamFailureCode, TeamFault } from '@galley/team'

export type TeamWork = 'join' | 'import' | 'leave' | 'keys'

export const refused = (code: TeamFailureCode): CallProblem => ({ code: 'team_refused', facts: { state: code } })

export function problemOf(fault: TeamFault, what: TeamWork): CallProblem {
  if (fault.kind === 'failed') return { code: 'team_failed', facts: { reason: fault.reason, state: what } }
  const { code, fact } = fault
  return { code: 'team_refused', facts: { state: code, count: fact, site: fact } }
}

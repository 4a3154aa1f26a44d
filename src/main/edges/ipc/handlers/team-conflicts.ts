import type { Handlers } from '../../../../contract/ipc/calls.ts'
import { conflictsAtMost } from '../../../../contract/ipc/team.ts'
import { fail, ok } from '../../../../contract/result.ts'
import type { Index } from '../../../library/db/library-index.ts'
import { decideChange } from '../../../use-cases/team/decide-change.ts'
import type { Member } from '../../../use-cases/team/member.ts'
import { TeamFailure } from '../../../use-cases/team/team-failure.ts'
import { refused } from './team-problem.ts'

interface Ports {
  readonly index: Index
  readonly team: Member | null
}

/** Calls about changes that conflict with the team's. `changed`: lists may show other values. */
export function teamConflictHandlers(
  { index, team }: Ports,
  changed: () => void,
): Pick<Handlers, 'teamConflicts' | 'decideTeamConflict'> {
  return {
    teamConflicts: () => index.teamConflicts(conflictsAtMost),
    async decideTeamConflict({ id, take }) {
      if (team === null) return fail(refused('not_a_member'))
      // A change that only waits for the bucket needs no decision: no other value is known yet.
      if ((index.teamMarks?.find(id)?.mark.theirs ?? null) === null) return fail(refused('unknown_change'))
      try {
        await decideChange({ index, team }, id, take)
      } catch (error) {
        if (!(error instanceof TeamFailure)) throw error
        return fail(refused(error.code))
      }
      changed()
      return ok(null)
    },
  }
}

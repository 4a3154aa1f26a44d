import type { Index } from '@galley/library'
import { TeamFailure, decideChange, refusal } from '@galley/team'
import type { Member } from '@galley/team'
import { fail, ok } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import { conflictsAtMost } from '../../../ipc/team.ts'

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
      if (team === null) return fail(refusal({ code: 'not_a_member' }))
      // A change that only waits for the bucket needs no decision: no other value is known yet.
      if ((index.teamMarks?.find(id)?.mark.theirs ?? null) === null) return fail(refusal({ code: 'unknown_change' }))
      try {
        await decideChange({ index, team }, id, take)
      } catch (error) {
        if (!(error instanceof TeamFailure)) throw error
        return fail(refusal(error))
      }
      changed()
      return ok(null)
    },
  }
}

import { CausedError, cause } from '../../../contract/cause.ts'
import type { TeamKeys } from '../../library/team-bucket/connection.ts'
import { connectTeam } from '../../library/team-bucket/connection.ts'
import type { Membership } from '../../library/team-bucket/membership.ts'
import { writeMembership } from '../../library/team-bucket/membership.ts'
import { probeAsAllowed } from './probe-as-allowed.ts'
import { TeamFailure } from './team-failure.ts'
import { libraryIn } from './team-marker.ts'

interface ChangeKeysOptions {
  readonly folder: string
  readonly membership: Membership
  readonly keys: TeamKeys
  /** Stores the keys for this member. Throws TeamFailure. */
  readonly keepKeys: (member: string) => Promise<void>
  readonly now: () => Date
}

/** The time limit while the person who entered the keys waits. */
const timeLimitMs = 15_000

/**
 * Replaces the keys of a member, after checking that they open the same library and whether they can write. The member
 * uses them the next time it is opened. Throws TeamFailure, CausedError, BucketAwayError.
 */
export async function changeTeamKeys({ folder, membership, keys, keepKeys, now }: ChangeKeysOptions): Promise<void> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const pathOf = (): never => {
    throw new Error('No file passes here')
  }
  const connection = connectTeam({ place: membership, keys: () => Promise.resolve(keys), pathOf, signal })
  try {
    const bucket = await connection.reached()
    const rounds = await probeAsAllowed(bucket)
    if ((await libraryIn(bucket)) !== membership.library) throw new TeamFailure('no_team_library')
    await keepKeys(membership.member)
    const probe = { at: now().toISOString(), rounds }
    writeMembership(folder, { ...membership, isReadOnly: rounds.length === 0, probe })
  } catch (error) {
    throw signal.aborted ? new CausedError(cause('bucket_away')) : error
  } finally {
    await connection.close()
  }
}

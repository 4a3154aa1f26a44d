import type { Network } from '@galley/platform'

import { askBucket } from './ask-bucket.ts'
import type { TeamKeys } from './bucket/connection.ts'
import type { Membership } from './bucket/membership.ts'
import { writeMembership } from './bucket/membership.ts'
import { probeAsAllowed } from './probe-as-allowed.ts'
import { TeamFailure } from './team-failure.ts'
import { libraryIn } from './team-marker.ts'

interface ChangeKeysOptions {
  readonly folder: string
  readonly membership: Membership
  readonly network: Network
  readonly keys: TeamKeys
  /** Stores the keys for this member. Throws TeamFailure. */
  readonly keepKeys: (member: string) => Promise<void>
  readonly now: () => Date
}

/**
 * Replaces the keys of a member, after checking that they open the same library and whether they can write. The member
 * uses them the next time it is opened. Throws TeamFailure, CausedError, BucketAwayError.
 */
export async function changeTeamKeys(options: ChangeKeysOptions): Promise<void> {
  const { folder, membership, network, keys, keepKeys, now } = options
  const rounds = await askBucket({ place: membership, network, keys }, async (bucket) => {
    const found = await probeAsAllowed(bucket)
    if ((await libraryIn(bucket)) !== membership.library) throw new TeamFailure('no_team_library')
    await keepKeys(membership.member)
    return found
  })
  writeMembership(folder, {
    ...membership,
    isReadOnly: rounds.length === 0,
    probe: { at: now().toISOString(), rounds },
  })
}

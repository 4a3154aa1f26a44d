import type { TeamKeys } from '../../library/team-bucket/connection.ts'
import type { TeamLocation } from '../../library/team-bucket/membership.ts'
import type { ProbeRound } from '../../library/team-bucket/probe.ts'
import { probeBucket } from '../../library/team-bucket/probe.ts'
import { askBucket } from './ask-bucket.ts'
import { probeAsAllowed } from './probe-as-allowed.ts'
import { TeamFailure } from './team-failure.ts'
import { libraryIn } from './team-marker.ts'

interface LocationTest {
  readonly place: TeamLocation
  readonly keys: TeamKeys
  /** The library to share there; null: a library is to join the one that is there. */
  readonly shared: string | null
}

/**
 * Tests a bucket before a library joins its team, or is shared there. No rounds: the keys can only read. Throws TeamFailure,
 * CausedError, BucketAwayError.
 */
export const testLocation = ({ place, keys, shared }: LocationTest): Promise<readonly ProbeRound[]> =>
  askBucket(place, keys, async (bucket) => {
    const rounds = await (shared === null ? probeAsAllowed : probeBucket)(bucket)
    const found = await libraryIn(bucket)
    if (shared === null && found === null) throw new TeamFailure('no_team_library')
    if (shared !== null && found !== null && found !== shared) throw new TeamFailure('bucket_in_use')
    return rounds
  })

import type { BucketQuestion } from './ask-bucket.ts'
import { askBucket } from './ask-bucket.ts'
import type { ProbeRound } from './bucket/probe.ts'
import { probeBucket } from './bucket/probe.ts'
import { probeAsAllowed } from './probe-as-allowed.ts'
import { TeamFailure } from './team-failure.ts'
import { libraryIn } from './team-marker.ts'

interface LocationTest extends BucketQuestion {
  /** The library to share there; null: a library is to join the one that is there. */
  readonly shared: string | null
}

/**
 * Tests a bucket before a library joins its team, or is shared there. No rounds: the keys can only read. Throws TeamFailure,
 * CausedError, BucketAwayError.
 */
export const testLocation = ({ shared, ...question }: LocationTest): Promise<readonly ProbeRound[]> =>
  askBucket(question, async (bucket) => {
    const rounds = await (shared === null ? probeAsAllowed : probeBucket)(bucket)
    const found = await libraryIn(bucket)
    if (shared === null && found === null) throw new TeamFailure('no_team_library')
    if (shared !== null && found !== null && found !== shared) throw new TeamFailure('bucket_in_use')
    return rounds
  })

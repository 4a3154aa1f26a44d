import { CausedError, cause } from '../../../contract/cause.ts'
import type { TeamKeys } from '../../library/team-bucket/connection.ts'
import { connectTeam } from '../../library/team-bucket/connection.ts'
import type { TeamLocation } from '../../library/team-bucket/membership.ts'
import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'

/** The time limit while the person who entered the keys waits. */
const timeLimitMs = 15_000

/** Asks a bucket with the keys that a person has just entered. Throws what `ask` throws, CausedError, BucketAwayError. */
export async function askBucket<Value>(
  place: TeamLocation,
  keys: TeamKeys,
  ask: (bucket: SharedBucket) => Promise<Value>,
): Promise<Value> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const pathOf = (): never => {
    throw new Error('No file passes here')
  }
  const connection = connectTeam({ place, keys: () => Promise.resolve(keys), pathOf, signal })
  try {
    return await ask(await connection.reached())
  } catch (error) {
    throw signal.aborted ? new CausedError(cause('bucket_away')) : error
  } finally {
    await connection.close()
  }
}

import type { Network } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'

import type { TeamKeys } from './bucket/connection.ts'
import { connectTeam } from './bucket/connection.ts'
import type { TeamLocation } from './bucket/membership.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'

/** The time limit while the person who entered the keys waits. */
const timeLimitMs = 15_000

/** A bucket, and the keys that a person has just entered. */
export interface BucketQuestion {
  readonly place: TeamLocation
  readonly network: Network
  readonly keys: TeamKeys
}

/** Asks a bucket with the keys that a person has just entered. Throws what `ask` throws, CausedError, BucketAwayError. */
export async function askBucket<Value>(
  { place, network, keys }: BucketQuestion,
  ask: (bucket: SharedBucket) => Promise<Value>,
): Promise<Value> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const pathOf = (): never => {
    throw new Error('No file passes here')
  }
  const connection = connectTeam({ place, network, keys: () => Promise.resolve(keys), pathOf, signal })
  try {
    return await ask(await connection.reached())
  } catch (error) {
    throw signal.aborted ? new CausedError(cause('bucket_away')) : error
  } finally {
    await connection.close()
  }
}

import { repeatUntilKnown } from '../../library/team-bucket/repeat-until-known.ts'
import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'

/** The keys of all files in the team's bucket. Throws CausedError, BucketAwayError. */
export async function fileKeysIn(bucket: SharedBucket): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let after = ''; ;) {
    const from = after
    const { keys } = await repeatUntilKnown(() => bucket.listAfter('files/', from))
    for (const key of keys) found.add(key)
    const last = keys.at(-1)
    if (last === undefined) return found
    after = last
  }
}

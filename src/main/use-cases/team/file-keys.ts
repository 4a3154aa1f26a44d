import { patiently } from '../../library/team-bucket/patiently.ts'
import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'

/** The keys of all files in the bucket of a team. Throws CausedError, BucketAwayError. */
export async function fileKeysIn(bucket: SharedBucket): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let after = ''; ;) {
    const from = after
    const { keys } = await patiently(() => bucket.listAfter('files/', from))
    for (const key of keys) found.add(key)
    const last = keys.at(-1)
    if (last === undefined) return found
    after = last
  }
}

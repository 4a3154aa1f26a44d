import type { ListedObject } from '@galley/library'

import { repeatUntilKnown } from './bucket/repeat-until-known.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'

/** The files in the team's bucket, by key. Null: the storage does not describe it. Throws CausedError, BucketAwayError. */
export async function listedFiles(bucket: SharedBucket): Promise<ReadonlyMap<string, ListedObject | null>> {
  const found = new Map<string, ListedObject | null>()
  for (let after = ''; ;) {
    const from = after
    const { keys, objects } = await repeatUntilKnown(() => bucket.listAfter('files/', from))
    for (const key of keys) found.set(key, objects.get(key) ?? null)
    const last = keys.at(-1)
    if (last === undefined) return found
    after = last
  }
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

import type { Index } from '../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { checkpointKey, positionIn } from '../../library/team/keys.ts'
import { payloadOfFile } from '../../library/team-bucket/connection.ts'
import { patiently } from '../../library/team-bucket/patiently.ts'
import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'

/** A machine that joins reads so many entries behind the newest checkpoint at most: some seconds. */
const entriesBetween = 2_000
/** Two: a damaged one leaves the other. */
const kept = 2

/** The positions of the checkpoints in a bucket, newest first. */
export async function checkpointsIn(bucket: SharedBucket): Promise<readonly number[]> {
  const found: number[] = []
  for (let after = ''; ;) {
    const from = after
    const { keys } = await patiently(() => bucket.listAfter('checkpoints/', from))
    for (const key of keys) {
      const position = positionIn(key)
      if (position !== null) found.push(position)
    }
    const last = keys.at(-1)
    if (last === undefined) return found.toReversed()
    after = last
  }
}

/** Sends a checkpoint that this machine has written. Throws CausedError, BucketAwayError, and what the disk throws. */
export async function sendCheckpoint(
  { checkpoints }: Pick<OpenedLibrary, 'checkpoints'>,
  bucket: SharedBucket,
  position: number,
): Promise<void> {
  const path = checkpoints.fileOf(position)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  const sha256 = hash.digest('hex')
  await patiently(() => bucket.put(checkpointKey(position), payloadOfFile(path, sha256)))
}

/** The returned function sends a checkpoint of this member when the newest one in the bucket is far behind. */
export function createTeamCheckpoints(
  library: OpenedLibrary,
  index: Index,
  reached: () => Promise<SharedBucket>,
): (signal: AbortSignal) => Promise<void> {
  let newest: number | null = null
  const isDue = (): boolean => newest === null || index.commit.mark().position - newest >= entriesBetween
  return async (signal) => {
    if (!isDue()) return
    const bucket = await reached()
    const there = await checkpointsIn(bucket)
    newest = there[0] ?? 0
    if (!isDue()) return
    newest = await library.writeCheckpoint(signal)
    await sendCheckpoint(library, bucket, newest)
    for (const old of [newest, ...there].slice(kept)) await patiently(() => bucket.remove(checkpointKey(old)))
  }
}

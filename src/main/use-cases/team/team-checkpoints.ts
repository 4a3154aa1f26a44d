import type { Index } from '../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { sendCheckpoint as sendOwnCheckpoint } from '../../library/team/checkpoints.ts'
import { checkpointKey, positionIn } from '../../library/team/keys.ts'
import type { TeamConnection } from '../../library/team-bucket/connection.ts'
import { payloadOfFile, sha256OfFile } from '../../library/team-bucket/file-payload.ts'
import { repeatUntilKnown } from '../../library/team-bucket/repeat-until-known.ts'
import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'

/** The most entries that a joining machine reads after the newest checkpoint; this takes a few seconds. */
const entriesBetween = 2_000
/** Two checkpoints are kept, in case one is damaged. */
const kept = 2
/** The time limit for sending a checkpoint. */
const sendMs = 60_000

/** The positions of the checkpoints in a bucket, newest first. */
export async function checkpointsIn(bucket: SharedBucket): Promise<readonly number[]> {
  const found: number[] = []
  for (let after = ''; ;) {
    const from = after
    const { keys } = await repeatUntilKnown(() => bucket.listAfter('checkpoints/', from))
    for (const key of keys) {
      const position = positionIn(key)
      if (position !== null) found.push(position)
    }
    const last = keys.at(-1)
    if (last === undefined) return found.toReversed()
    after = last
  }
}

/** Sends a checkpoint that this machine has written. Throws CausedError, BucketAwayError, and disk errors. */
export async function sendCheckpoint(
  { checkpoints }: Pick<OpenedLibrary, 'checkpoints'>,
  bucket: SharedBucket,
  position: number,
): Promise<void> {
  const path = checkpoints.fileOf(position)
  const sha256 = await sha256OfFile(path)
  await repeatUntilKnown(() => bucket.put(checkpointKey(position), payloadOfFile(path, sha256)))
}

/** The returned function sends a checkpoint of this member if the newest one in the bucket is far behind. */
export function createTeamCheckpoints(
  library: OpenedLibrary,
  index: Index,
  { reached, run }: Pick<TeamConnection, 'reached' | 'run'>,
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
    await run(sendOwnCheckpoint(newest), sendMs, library.teamCheckpoints)
    for (const old of [newest, ...there].slice(kept)) await repeatUntilKnown(() => bucket.remove(checkpointKey(old)))
  }
}

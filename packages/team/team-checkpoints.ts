import type { IndexWith, OpenedLibrary } from '@galley/library'
import { checkpointKey, lacksCheckpoint, positionIn, sendCheckpoint as sendOwnCheckpoint } from '@galley/library'

import type { TeamConnection } from './bucket/connection.ts'
import { payloadOfFile, sha256OfFile } from './bucket/file-payload.ts'
import { repeatUntilKnown } from './bucket/repeat-until-known.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'

/** The most entries that a joining machine reads after the newest checkpoint; this takes a few seconds. */
const entriesBetween = 2_000
/** Two checkpoints are kept, in case one is damaged. */
const kept = 2
/** The time limit for sending a checkpoint. */
const sendMs = 60_000
/** The pause after one that could not be sent, since each costs a copy of the index. */
const againAfterMs = 600_000

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

/** The returned function sends a checkpoint of this member if the newest one in the bucket is far behind, or gone. */
export function createTeamCheckpoints(
  library: OpenedLibrary,
  index: IndexWith<'commit'>,
  { reached, run }: Pick<TeamConnection, 'reached' | 'run'>,
  { againMs = againAfterMs } = {},
): (signal: AbortSignal) => Promise<void> {
  let newest: number | null = null
  let notBeforeMs = 0
  const isFar = (from: number): boolean => index.commit.mark().position - from >= entriesBetween
  return async (signal) => {
    if ((newest !== null && !isFar(newest)) || performance.now() < notBeforeMs) return
    const bucket = await reached()
    const { position: end } = index.commit.mark()
    // What is ahead of the log was not written by a member.
    const there = (await checkpointsIn(bucket)).filter((position) => position <= end)
    const [last = 0] = there
    if (!isFar(last) && !(await run(lacksCheckpoint(end)))) return void (newest = last)
    notBeforeMs = performance.now() + againMs
    const position = await library.writeCheckpoint(signal)
    await run(sendOwnCheckpoint(position), sendMs, library.teamCheckpoints)
    newest = position
    notBeforeMs = 0
    for (const old of [position, ...there].slice(kept)) await repeatUntilKnown(() => bucket.remove(checkpointKey(old)))
  }
}

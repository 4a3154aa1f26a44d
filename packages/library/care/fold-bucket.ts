import { isOutOfRoom } from '@galley/platform'

import type { FoldPlan } from '../team/checkpoints.ts'
import {
  foldSome,
  isNewestDamaged,
  lacksCheckpoint,
  planFold,
  removeSuperseded,
  sendCheckpoint,
} from '../team/checkpoints.ts'
import type { CarePorts, TeamBucket } from './ports.ts'
import type { CareRun } from './run.ts'

/** The number of folded entries and of removed checkpoints, or of those that a dry run would fold and remove. */
export interface FoldedSum {
  readonly entries: number
  readonly checkpoints: number
}

/**
 * Folds the log in a team's bucket. If it is stopped or killed, the log can still be followed from each checkpoint, and
 * the next run continues.
 */
export async function foldBucket(
  bucket: TeamBucket,
  plan: FoldPlan,
  { signal, onProgress }: CareRun,
): Promise<FoldedSum> {
  const { upTo, entries } = plan
  for (let at = plan.from; at <= upTo;) {
    signal.throwIfAborted()
    at = await bucket.run(foldSome(at, upTo))
    onProgress({ step: 'writing', done: at - 1, total: upTo, unit: 'entries' })
  }
  return { entries, checkpoints: await bucket.run(removeSuperseded()) }
}

const endOf = ({ index }: CarePorts['library']): number => index.commit.mark().position

/** The time limit for sending a checkpoint. */
export const checkpointMs = 60_000

/** Keeps two checkpoints, and folds the entries that both contain. */
export async function foldOld(
  { library }: Pick<CarePorts, 'library'>,
  bucket: TeamBucket,
  dryRun: boolean,
  run: CareRun,
): Promise<FoldedSum> {
  if (!dryRun) await repairCheckpoint(library, bucket, run.signal)
  const plan = await bucket.run(planFold(endOf(library)))
  if (!dryRun) return foldBucket(bucket, plan, run)
  return { entries: plan.entries, checkpoints: plan.checkpoints }
}

/** What is wrong with the checkpoint that a joining computer takes; null if the log can be read without one, or it is good. */
export async function checkpointFault(
  library: CarePorts['library'],
  bucket: TeamBucket,
): Promise<'missing' | 'damaged' | null> {
  if (await bucket.run(lacksCheckpoint(endOf(library)))) return 'missing'
  try {
    return (await bucket.run(isNewestDamaged(endOf(library)), checkpointMs, library.teamCheckpoints)) ? 'damaged' : null
  } catch (error) {
    // This computer's disk is full, so it cannot check a checkpoint. Another computer will.
    if (!isOutOfRoom(error)) throw error
    return null
  }
}

/** Sends this computer's checkpoint. */
export async function sendAgain(library: CarePorts['library'], bucket: TeamBucket, signal: AbortSignal): Promise<void> {
  const position = await library.writeCheckpoint(signal)
  await bucket.run(sendCheckpoint(position), checkpointMs, library.teamCheckpoints)
}

async function repairCheckpoint(library: CarePorts['library'], bucket: TeamBucket, signal: AbortSignal): Promise<void> {
  const fault = await checkpointFault(library, bucket)
  if (fault === null) return
  try {
    await sendAgain(library, bucket, signal)
  } catch (error) {
    // Nothing else says that the bucket has no checkpoint.
    if (fault === 'missing' || !isOutOfRoom(error)) throw error
  }
}

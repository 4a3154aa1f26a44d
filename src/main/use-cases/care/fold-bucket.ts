import type { FoldPlan } from '../../library/team/checkpoints.ts'
import { foldSome, planFold, removeSuperseded } from '../../library/team/checkpoints.ts'
import type { TeamBucket } from './ports.ts'
import type { CareRun } from './run.ts'

/** Entries that were folded, or would be, and checkpoints that went with them. */
export interface FoldedSum {
  readonly entries: number
  readonly checkpoints: number
}

/**
 * Folds the log in the bucket of a team. If it is stopped or killed, the log can be followed from each of the checkpoints;
 * the next run goes on.
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

/** Keeps two checkpoints, and folds what is in both. */
export async function foldOld(bucket: TeamBucket, dryRun: boolean, run: CareRun): Promise<FoldedSum> {
  const plan = await bucket.run(planFold())
  if (!dryRun) return foldBucket(bucket, plan, run)
  return { entries: plan.entries, checkpoints: plan.checkpoints }
}

import type { FoldPlan } from '../../library/team/checkpoints.ts'
import { foldSome, planFold, removeSuperseded } from '../../library/team/checkpoints.ts'
import type { TeamBucket } from './ports.ts'
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

/** Keeps two checkpoints, and folds the entries that both contain. */
export async function foldOld(bucket: TeamBucket, dryRun: boolean, run: CareRun): Promise<FoldedSum> {
  const plan = await bucket.run(planFold())
  if (!dryRun) return foldBucket(bucket, plan, run)
  return { entries: plan.entries, checkpoints: plan.checkpoints }
}

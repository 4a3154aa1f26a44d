import type { Result } from '../../../contract/result.ts'
import type { CareFailure, CareRun } from '../../use-cases/care/run.ts'
import { describeCareFailure } from '../../use-cases/care/run.ts'
import type { Context } from './command.ts'
import { CommandFailure, UsageError } from './command.ts'

/** A word on standard error at most this often, so that a log stays readable. */
const toldEveryMs = 1000

/** Library care as the command line runs it: stopped by the first signal, its progress told on standard error. */
export async function runCare<Report>(
  { interrupted, log }: Context,
  work: (run: CareRun) => Promise<Result<Report, CareFailure>>,
): Promise<Report> {
  let toldAt = performance.now()
  const done = await work({
    signal: interrupted,
    onProgress({ step, done, total, unit }) {
      if (performance.now() - toldAt < toldEveryMs) return
      toldAt = performance.now()
      const shown = unit === 'bytes' ? inMegabytes : String
      log(`${step}: ${shown(done)}${total === null ? '' : ` of ${shown(total)}`} ${unit === 'bytes' ? 'MB' : unit}`)
    },
  })
  if (done.ok) return done.value
  const message = describeCareFailure(done.failure)
  const isWrongUsage = done.failure.kind === 'not_ours' || done.failure.kind === 'folder_not_empty'
  throw isWrongUsage ? new UsageError(message) : new CommandFailure(done.failure.kind, message)
}

/** Bytes as people read them. */
export const inMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

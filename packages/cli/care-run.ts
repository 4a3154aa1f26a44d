import type { CareFailure, CareRun } from '@galley/library'
import type { Result } from '@galley/wire'
import { failureWords } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure } from './command.ts'
import { UsageError } from './option.ts'
import { teamCode } from './team-code.ts'

/** The minimum interval of progress messages on standard error, so that logs stay readable. */
export const progressIntervalMs = 1000

/** Runs a care operation for a command: the first signal stops it, and its progress is printed to standard error. */
export async function runCare<Report>(
  { interrupted, log }: Context,
  work: (run: CareRun) => Promise<Result<Report, CareFailure>>,
): Promise<Report> {
  let reportedAt = performance.now()
  const done = await work({
    signal: interrupted,
    onProgress({ step, done, total, unit }) {
      if (performance.now() - reportedAt < progressIntervalMs) return
      reportedAt = performance.now()
      const shown = unit === 'bytes' ? inMegabytes : String
      log(`${step}: ${shown(done)}${total === null ? '' : ` of ${shown(total)}`} ${unit === 'bytes' ? 'MB' : unit}`)
    },
  })
  if (done.ok) return done.value
  const message = failureWords(done.failure)
  const isWrongUsage = done.failure.code === 'not_ours' || done.failure.code === 'folder_not_empty'
  if (isWrongUsage) throw new UsageError(message)
  const ofTeam = done.failure.code === 'file_failed' ? teamCode(done.failure.reason.code) : null
  throw new CommandFailure(ofTeam ?? done.failure.code, message)
}

/** A size in megabytes for people. */
export const inMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

import { performance } from 'node:perf_hooks'
import { isSystemError, storageCause } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail } from '@galley/wire'

import { cleanArchive } from './clean-job.ts'
import { unpackFonts } from './fonts-job.ts'
import type { JobTools } from './job-tools.ts'
import { createSteps, withJobTools } from './job-tools.ts'
import type { ArchiveFailure, Job, JobReport, Report } from './jobs.ts'
import { unpackMedia } from './media-job.ts'
import type { OpenArchive } from './open-archive.ts'
import { withArchive } from './open-archive.ts'

/**
 * Runs a job from the archive's first byte to the last sync. Faults of the archive and the disk are results; afterwards no
 * file is open and no sync is running, and all written files are in the job's folder.
 */
export async function runJob(job: Job): Promise<Report> {
  const steps = createSteps(() => performance.now())
  try {
    const result = await withJobTools(job, steps, (place) =>
      withArchive(job.archive.path, job.limits, async (archive): Promise<Result<JobReport, ArchiveFailure>> => {
        steps.end('directory')
        const done = await work(job, archive, place)
        if (done.ok) await place.syncs.settle()
        steps.end('sync')
        return done
      }),
    )
    return { result, steps: steps.list() }
  } catch (error) {
    if (!isSystemError(error)) throw error
    return { result: fail({ kind: 'storage_failed', reason: storageCause(error) }), steps: steps.list() }
  }
}

function work(job: Job, archive: OpenArchive, place: JobTools): Promise<Result<JobReport, ArchiveFailure>> {
  switch (job.kind) {
    case 'unpackMedia':
      return unpackMedia(job, archive, place)
    case 'unpackFonts':
      return unpackFonts(job, archive, place)
    case 'cleanArchive':
      return cleanArchive(job, archive, place)
  }
}

import type { Job, Report } from './jobs.ts'
import type { Staging } from './staging.ts'
import { createStaging } from './staging.ts'
import type { Syncs } from './syncs.ts'
import { createSyncs } from './syncs.ts'
import type { Warnings } from './warnings.ts'
import { createWarnings } from './warnings.ts'

/** The tools of a job. */
export interface JobTools {
  readonly job: Job
  readonly staging: Staging
  readonly syncs: Syncs
  readonly warnings: Warnings
  readonly steps: Steps
}

/** Measures the steps of a job for the callback's waterfall. */
export interface Steps {
  /** Ends a step: the time since the previous one ended. */
  end(name: string): void
  list(): Report['steps']
}

export function createSteps(now: () => number): Steps {
  const steps: { readonly name: string; readonly ms: number }[] = []
  let last = now()
  return {
    end: (name) => {
      const at = now()
      steps.push({ name, ms: Math.round((at - last) * 100) / 100 })
      last = at
    },
    list: () => steps,
  }
}

/** Creates the tools for `work`. Afterwards no file is open and no sync is running, even if it fails. */
export async function withJobTools<Value>(
  job: Job,
  steps: Steps,
  work: (place: JobTools) => Promise<Value>,
): Promise<Value> {
  const syncs = createSyncs()
  const staging = createStaging(job, syncs)
  try {
    return await work({ job, staging, syncs, warnings: createWarnings(), steps })
  } finally {
    staging.close()
    await syncs.idle()
  }
}

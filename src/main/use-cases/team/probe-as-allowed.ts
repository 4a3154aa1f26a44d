import { CausedError } from '../../../contract/cause.ts'
import type { ProbeRound } from '../../library/team-bucket/probe.ts'
import { probeBucket } from '../../library/team-bucket/probe.ts'
import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'

/** Probes the bucket; returns no rounds if the keys are read-only. Throws what `probeBucket` throws. */
export const probeAsAllowed = (bucket: SharedBucket): Promise<readonly ProbeRound[]> =>
  probeBucket(bucket).catch((error: unknown) => {
    if (error instanceof CausedError && error.reason.code === 'bucket_denied') return []
    throw error
  })

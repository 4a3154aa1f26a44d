import type { ProbeRound } from './bucket/probe.ts'
import { isDenied, probeBucket } from './bucket/probe.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'

/** Probes the bucket; returns no rounds if the keys are read-only. Throws what `probeBucket` throws. */
export const probeAsAllowed = (bucket: SharedBucket): Promise<readonly ProbeRound[]> =>
  probeBucket(bucket).catch((error: unknown) => {
    if (isDenied(error)) return []
    throw error
  })

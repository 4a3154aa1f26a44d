import { randomUUID } from 'node:crypto'
import { BucketAwayError } from '@galley/library'
import { CausedError, cause } from '@galley/wire'

import { repeatUntilKnown } from './repeat-until-known.ts'
import type { SharedBucket } from './shared-bucket.ts'

/** How many requests raced to create the same object, and how many were answered with success. */
export interface ProbeRound {
  readonly racers: number
  readonly winners: number
}

/** How many requests a test has sent. */
export const racersIn = (tested: readonly ProbeRound[]): number => tested.reduce((sum, { racers }) => sum + racers, 0)

const rounds = [2, 20]
/** A round in which an answer was lost, or in which a proxy sent a request twice, proves nothing. */
const triesOfARound = 4

/**
 * Races requests to create new objects in the bucket itself, because some storages accept the condition and ignore it,
 * some of them only in a bucket with versioning. Throws CausedError with `bucket_unsuitable` unless each object has
 * exactly one creator and holds its bytes, and with other errors of the bucket.
 */
export async function probeBucket(bucket: SharedBucket): Promise<readonly ProbeRound[]> {
  const run: ProbeRound[] = []
  for (const racers of rounds) run.push(await race(bucket, racers))
  return run
}

/** How long a person waits who asks for the rights of keys. */
const rightsLimitMs = 3_000

/** Whether the keys may write an object. Throws CausedError with other refusals, and BucketAwayError. */
export async function mayWrite(bucket: SharedBucket): Promise<boolean> {
  const key = `probe/${randomUUID()}` as const
  try {
    await repeatUntilKnown(() => bucket.create(key, Buffer.from('rights\n')), rightsLimitMs)
  } catch (error) {
    if (isDenied(error)) return false
    throw error
  }
  await bucket.remove(key)
  return true
}

/** Whether the keys are those of a reader. */
export const isDenied = (error: unknown): boolean =>
  error instanceof CausedError && error.reason.code === 'bucket_denied'

async function race(bucket: SharedBucket, racers: number): Promise<ProbeRound> {
  for (let tries = 0; tries < triesOfARound; tries += 1) {
    const key = `probe/${randomUUID()}` as const
    const bodies = Array.from({ length: racers }, (_, at) => Buffer.from(`racer ${at} of ${racers}\n`))
    const ends = await Promise.all(bodies.map((bytes) => bucket.create(key, bytes)))
    const found = await bucket.get(key)
    // Each further request to a bucket that does not answer may take ten seconds.
    if ([...ends, found].every(({ kind }) => kind === 'unknown')) throw new BucketAwayError()
    await bucket.remove(key)
    for (const end of [...ends, found]) if (end.kind === 'refused') throw new CausedError(end.why)
    const winners = ends.flatMap(({ kind }, at) => (kind === 'created' ? [at] : []))
    const [winner] = winners
    // Two winners are too many, whatever happened to the other requests.
    if (winners.length > 1) throw unsuitable(racers, winners.length)
    if (found.kind === 'unknown' || ends.some(({ kind }) => kind === 'unknown')) continue
    // The winner of this object was answered as if it had lost, maybe because it lost against itself.
    if (winner === undefined && found.kind === 'found' && tries < triesOfARound - 1) continue
    if (winner === undefined || found.kind !== 'found' || bodies[winner]?.equals(found.bytes) !== true)
      throw unsuitable(racers, winners.length)
    return { racers, winners: winners.length }
  }
  throw new CausedError(cause('bucket_cut'))
}

const unsuitable = (racers: number, winners: number): CausedError =>
  new CausedError(cause('bucket_unsuitable', { name: racers, why: winners }))

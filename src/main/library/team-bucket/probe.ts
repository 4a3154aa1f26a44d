import { randomUUID } from 'node:crypto'

import { CausedError, cause } from '../../../contract/cause.ts'
import type { SharedBucket } from './shared-bucket.ts'

/** How many create the same object at a time, and how many of them were told that they had. */
export interface ProbeRound {
  readonly racers: number
  readonly winners: number
}

const rounds = [2, 20]
/** A round in which an answer got lost says nothing. */
const triesOfARound = 4

/**
 * Races requests to create fresh objects in the bucket itself, since some stores accept the condition and ignore it, some
 * only in a bucket with versions. Throws CausedError with `bucket_unsuitable` unless each object has one creator, whose
 * bytes it holds, and with what else the bucket says.
 */
export async function probeBucket(bucket: SharedBucket): Promise<readonly ProbeRound[]> {
  const run: ProbeRound[] = []
  for (const racers of rounds) run.push(await race(bucket, racers))
  return run
}

async function race(bucket: SharedBucket, racers: number): Promise<ProbeRound> {
  for (let tries = 0; tries < triesOfARound; tries += 1) {
    const key = `probe/${randomUUID()}` as const
    const bodies = Array.from({ length: racers }, (_, at) => Buffer.from(`racer ${at} of ${racers}\n`))
    const ends = await Promise.all(bodies.map((bytes) => bucket.create(key, bytes)))
    const found = await bucket.get(key)
    await bucket.remove(key)
    for (const end of [...ends, found]) if (end.kind === 'refused') throw new CausedError(end.why)
    const winners = ends.flatMap(({ kind }, at) => (kind === 'created' ? [at] : []))
    const [winner] = winners
    // Two are too many, whatever became of the others.
    if (winners.length > 1) throw unsuitable(racers, winners.length)
    if (found.kind === 'unknown' || ends.some(({ kind }) => kind === 'unknown')) continue
    if (winner === undefined || found.kind !== 'found' || bodies[winner]?.equals(found.bytes) !== true)
      throw unsuitable(racers, winners.length)
    return { racers, winners: winners.length }
  }
  throw new CausedError(cause('bucket_cut'))
}

const unsuitable = (racers: number, winners: number): CausedError =>
  new CausedError(cause('bucket_unsuitable', { name: racers, why: winners }))

import { parsedJson } from '@galley/wire'

import type { TeamConnection } from './bucket/connection.ts'
import { repeatUntilKnown } from './bucket/repeat-until-known.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'
import { TeamFailure } from './team-failure.ts'

/** Names the library under a prefix. It is written last, so that an incomplete library cannot be joined. */
const markerKey = 'library.json'
const galley = 1

const bytesOf = (library: string): Buffer => Buffer.from(`${JSON.stringify({ galley, library })}\n`)

/** The library under this prefix; null if there is none or it is not complete yet. Throws TeamFailure. */
export async function libraryIn(bucket: SharedBucket, patienceMs?: number): Promise<string | null> {
  const found = await repeatUntilKnown(() => bucket.get(markerKey), patienceMs)
  if (found.kind === 'absent') return null
  // It may be not created by Galley.
  const read = Object(parsedJson(Buffer.from(found.bytes).toString('utf8'))) as Partial<
    Record<'library' | 'galley', unknown>
  >
  if (typeof read.library !== 'string') throw new TeamFailure('bucket_in_use')
  if (read.galley === undefined) throw new TeamFailure('earlier_library')
  if (read.galley !== galley) throw new TeamFailure('other_galley')
  return read.library
}

/** Marks the library as complete. Throws TeamFailure if another library was marked first. */
export async function markLibrary(bucket: SharedBucket, library: string): Promise<void> {
  const bytes = bytesOf(library)
  const answer = await repeatUntilKnown(() => bucket.create(markerKey, bytes))
  if (answer.kind === 'exists' && (await libraryIn(bucket)) !== library) throw new TeamFailure('bucket_in_use')
}

/** The marker of a library that is complete, for its check. Throws CausedError, BucketAwayError; `write` also TeamFailure. */
export const markerOf = ({ reached, patienceMs }: Pick<TeamConnection, 'reached' | 'patienceMs'>, library: string) => ({
  async state(): Promise<'ours' | 'missing' | 'other'> {
    try {
      const found = await libraryIn(await reached(), patienceMs)
      return found === null ? 'missing' : found === library ? 'ours' : 'other'
    } catch (error) {
      if (error instanceof TeamFailure) return 'other'
      throw error
    }
  },
  write: async (): Promise<void> => markLibrary(await reached(), library),
})

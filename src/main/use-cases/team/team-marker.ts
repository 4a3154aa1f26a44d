import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'
import { patiently } from '../../library/team-bucket/patiently.ts'
import { TeamFailure } from './team-failure.ts'

/** Says which library a place in a bucket holds. Written last, so that nobody joins what is not all there. */
const markerKey = 'library.json'
const format = 1

const bytesOf = (library: string): Buffer => Buffer.from(`${JSON.stringify({ library, format })}\n`)

/** The library at this place; null: none, or one that is still being brought there. Throws TeamFailure. */
export async function libraryIn(bucket: SharedBucket): Promise<string | null> {
  const found = await patiently(() => bucket.get(markerKey))
  if (found.kind === 'absent') return null
  let read: { readonly library?: unknown; readonly format?: unknown } = {}
  try {
    read = Object(JSON.parse(Buffer.from(found.bytes).toString('utf8'))) as typeof read
  } catch {
    // Not ours, as below.
  }
  if (typeof read.library !== 'string') throw new TeamFailure('bucket_in_use')
  if (read.format !== format) throw new TeamFailure('other_galley')
  return read.library
}

/** Says that the library is all there. Throws TeamFailure where another one was quicker. */
export async function markLibrary(bucket: SharedBucket, library: string): Promise<void> {
  const bytes = bytesOf(library)
  const answer = await patiently(() => bucket.create(markerKey, bytes))
  if (answer.kind === 'exists' && (await libraryIn(bucket)) !== library) throw new TeamFailure('bucket_in_use')
}

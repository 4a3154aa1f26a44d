import { isStorageFault, storageCause } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { DamagedFile } from './check-files.ts'
import type { CarePorts } from './ports.ts'

/**
 * Replaces a member's damaged copies with files from the bucket of its team, whose bytes are checked. Returns the
 * repaired blobs; none outside a team library.
 */
export async function fetchAgain(
  { bucket }: Pick<CarePorts, 'bucket'>,
  damaged: readonly DamagedFile[],
  signal: AbortSignal,
): Promise<ReadonlySet<Sha256>> {
  const whole = new Set<Sha256>()
  if (bucket === null) return whole
  for (const { file, blobs } of damaged) {
    signal.throwIfAborted()
    try {
      await bucket.files.fetchAgain(file)
    } catch (error) {
      if (!isStorageFault(error)) throw error
      // The bucket has lost this one, but may have the next. Any other error ends the attempts.
      if (storageCause(error).code.startsWith('team_file_')) continue
      break
    }
    for (const { sha256 } of blobs) whole.add(sha256)
  }
  return whole
}

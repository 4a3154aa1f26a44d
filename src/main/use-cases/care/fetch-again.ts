import type { Sha256 } from '../../../contract/ids.ts'
import { isStorageFault, storageCause } from '../../platform/disk/storage-reason.ts'
import type { DamagedFile } from './check-files.ts'
import type { CarePorts } from './ports.ts'

/**
 * Replaces the damaged copies of a member by what the bucket of its team has, whose bytes are checked. Returns the blobs
 * that are whole again; none in a library of its own.
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
      await bucket.files.bringAgain(file)
    } catch (error) {
      if (!isStorageFault(error)) throw error
      // The bucket has lost this one, but may have the next. Whatever else is wrong ends the attempts.
      if (storageCause(error).code.startsWith('team_file_')) continue
      break
    }
    for (const { sha256 } of blobs) whole.add(sha256)
  }
  return whole
}

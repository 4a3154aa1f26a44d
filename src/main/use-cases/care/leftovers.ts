import type { FolderEntry } from '../../library/vault/folder-entries.ts'
import { isArrival } from '../../library/vault/staging.ts'
import type { CarePorts } from './ports.ts'

/** Longer than any save: the download alone may take an hour. */
const leftoverAgeMs = 2 * 3_600_000

/**
 * Leftovers of dead jobs in staging. If another process listens or makes a backup, staging also contains running jobs: then
 * only entries that are too old for a job count.
 */
export async function leftoversIn({
  vault,
  isServedElsewhere,
  now,
}: Pick<CarePorts, 'vault' | 'isServedElsewhere' | 'now'>): Promise<readonly FolderEntry[]> {
  // Listed first, so that jobs started later are not included.
  const foreign = await vault.foreignStaging()
  const isAlone = !isServedElsewhere() && !vault.isInUse()
  return foreign.filter(
    ({ name, changedMs }) => (isAlone && !isArrival(name)) || now().getTime() - changedMs > leftoverAgeMs,
  )
}

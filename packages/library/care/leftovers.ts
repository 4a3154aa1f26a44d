import type { FolderEntry } from '../vault/folder-entries.ts'
import { isFetchPath } from '../vault/staging.ts'
import type { CarePorts } from './ports.ts'

/** Longer than it takes to fetch a file. */
const abandonedFetchMs = 2 * 3_600_000

/**
 * Leftovers of dead jobs in staging. None if another process listens or a job uses files: staging then also contains running
 * jobs, and no age tells them apart, because the clock may be set forward at any time. The listener sweeps at its next start.
 */
export async function leftoversIn({
  vault,
  isServedElsewhere,
  now,
}: Pick<CarePorts, 'vault' | 'isServedElsewhere' | 'now'>): Promise<readonly FolderEntry[]> {
  // Listed first, so that jobs started later are not included.
  const foreign = await vault.foreignStaging()
  if (isServedElsewhere() || vault.isInUse()) return []
  return foreign.filter(({ name, changedMs }) => !isFetchPath(name) || now().getTime() - changedMs > abandonedFetchMs)
}

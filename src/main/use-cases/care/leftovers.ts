import type { FolderEntry } from '../../library/vault/folder-entries.ts'
import type { CarePorts } from './ports.ts'

/** Longer than any save takes: its download alone may take an hour. */
const oldMs = 2 * 3_600_000

/**
 * What jobs that died have left in staging. Where another process listens, or somebody backs up, running jobs are there
 * too: then only what is too old to belong to one.
 */
export async function leftoversIn({
  vault,
  isServedElsewhere,
  now,
}: Pick<CarePorts, 'vault' | 'isServedElsewhere' | 'now'>): Promise<readonly FolderEntry[]> {
  // Listed first: a job that starts after this is not in the list.
  const foreign = await vault.foreignStaging()
  if (!isServedElsewhere() && !vault.isInUse()) return foreign
  return foreign.filter(({ changedMs }) => now().getTime() - changedMs > oldMs)
}

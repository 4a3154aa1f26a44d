import type { Reviewing } from '@galley/library'
import type { Answer } from '@galley/library/records'
import { ok } from '@galley/wire'

import type { ComparedPages, ComparedPair } from '../../ipc/desk.ts'

/** Versions never change, so these are never outdated. */
const keptAtMost = 50

/** Compares stored versions, and keeps the last results. */
export function createComparisons(reviewing: Pick<Reviewing, 'compare'>) {
  const kept = new Map<string, Promise<Answer<ComparedPages | null>>>()

  const compare = ({
    site,
    materialId,
    before: from,
    after: to,
  }: ComparedPair): Promise<Answer<ComparedPages | null>> =>
    from === null ? Promise.resolve(ok(null)) : reviewing.compare({ site, materialId, from, to })

  /** What changed; null: all of the page is new. */
  return (pair: ComparedPair): Promise<Answer<ComparedPages | null>> => {
    const key = JSON.stringify([pair.site, pair.materialId, pair.before, pair.after])
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = compare(pair)
    kept.set(key, made)
    for (const oldest of kept.keys()) if (kept.size > keptAtMost) kept.delete(oldest)
    // What failed may succeed after a repair.
    made.then(
      (answer) => answer.ok || kept.delete(key),
      () => kept.delete(key),
    )
    return made
  }
}

export type Comparisons = ReturnType<typeof createComparisons>

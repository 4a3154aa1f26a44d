import type { ReleaseRow } from '../../../../contract/ipc/publishing.ts'
import type { Release } from '../../../../contract/domain/release.ts'

type Past = Release & Pick<ReleaseRow, 'isCurrent' | 'isKept'>

/** The newest releases as a window shows them, each held against the one before it. */
export const rowsOf = (history: readonly Past[], shown: number): readonly ReleaseRow[] =>
  history.slice(0, shown).map((release, at) => {
    const { id: releaseId, at: moment, by, rollbackOf, counts, isCurrent, isKept } = release
    const pages = { all: release.pages.length, ...pagesChanged(history[at + 1]?.pages ?? [], release.pages) }
    return { releaseId, at: moment, by, rollbackOf, counts, pages, isCurrent, isKept }
  })

function pagesChanged(before: Release['pages'], after: Release['pages']) {
  const earlier = new Map(before.map(({ materialId, versionId }) => [materialId, versionId]))
  let [added, changed] = [0, 0]
  for (const { materialId, versionId } of after) {
    if (!earlier.has(materialId)) added += 1
    else if (earlier.get(materialId) !== versionId) changed += 1
  }
  return { added, changed, removed: before.length - (after.length - added) }
}

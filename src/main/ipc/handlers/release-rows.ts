import type { Release } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'

import type { ReleaseContents, ReleasePage, ReleaseRow } from '../../../ipc/publishing.ts'
import { findingsAtMost } from './bundle-findings.ts'

type ListedRelease = Release & Pick<ReleaseRow, 'isCurrent' | 'isKept'> & { readonly hasPages: boolean }

/** The newest releases as a window shows them, each compared with the one before it. */
export const rowsOf = (history: readonly ListedRelease[], shown: number): readonly ReleaseRow[] =>
  history.slice(0, shown).map((release, at) => {
    const { id: releaseId, at: moment, by, rollbackOf, counts, isCurrent, isKept } = release
    const pages = { all: release.pages.length, ...pagesChanged(history[at + 1]?.pages ?? [], release.pages) }
    const broken = release.links?.broken ?? null
    return { releaseId, at: moment, by, rollbackOf, counts, pages, isCurrent, isKept, broken }
  })

function pagesChanged(before: Release['pages'], after: Release['pages']) {
  const changes = changesOf(before, after)
  const of = (wanted: ReleasePage['change']): number => changes.filter(({ change }) => change === wanted).length
  return { added: of('added'), changed: of('changed'), removed: of('removed') }
}

function changesOf(before: Release['pages'], after: Release['pages']) {
  const earlier = new Map(before.map(({ materialId, versionId }) => [materialId, versionId]))
  const later = new Set(after.map(({ materialId }) => materialId))
  const change = (materialId: MaterialId, as: ReleasePage['change']) => ({ materialId, change: as })
  return [
    ...after
      .filter(({ materialId, versionId }) => earlier.get(materialId) !== versionId)
      .map(({ materialId }) => change(materialId, earlier.has(materialId) ? 'changed' : 'added')),
    ...before.filter(({ materialId }) => !later.has(materialId)).map(({ materialId }) => change(materialId, 'removed')),
  ]
}

/** What a release of the history changed; null if it is not in the history. */
export function contentsOf(
  history: readonly ListedRelease[],
  releaseId: string,
  titleOf: (materialId: MaterialId) => string,
  references: Release['links'],
): ReleaseContents | null {
  const at = history.findIndex(({ id }) => id === releaseId)
  const release = history[at]
  if (release === undefined) return null
  const before = history[at + 1]
  const isKnown = release.hasPages && before?.hasPages !== false
  const pages = isKnown
    ? changesOf(before?.pages ?? [], release.pages)
        .map((page) => ({ ...page, title: titleOf(page.materialId) }))
        .toSorted((one, other) => one.title.localeCompare(other.title))
        .slice(0, findingsAtMost)
    : null
  return { pages, references }
}

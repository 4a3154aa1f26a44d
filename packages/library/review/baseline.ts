import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { Index } from '../db/library-index.ts'

/**
 * The version that a page is compared with: the one that was approved last, otherwise the one in the newest release of its
 * site. Null: nobody has approved or published the page, so all of it is new.
 */
export function baselineOf(
  { versionList, targets, releases, onlinePages }: Pick<Index, 'versionList' | 'targets' | 'releases' | 'onlinePages'>,
  site: SiteId,
  materialId: MaterialId,
): VersionId | null {
  const decided = new Set<VersionId>()
  for (const { versionId, decision } of versionList.decisions(site, materialId)) {
    // Of several decisions about a version the last one counts.
    if (decision === 'approved' && !decided.has(versionId)) return versionId
    decided.add(versionId)
  }
  const published = targets.list(site).flatMap(({ name }) => releases.of(site, name, 1))
  const [newest] = published.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  if (newest === undefined) return null
  return onlinePages.of(site, materialId).find(({ target }) => target === newest.target)?.versionId ?? null
}

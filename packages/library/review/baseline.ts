import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { Index, IndexReads } from '../db/library-index.ts'
import type { ReadSite } from '../db/review/review-queue.ts'
import type { Target } from '../records/target.ts'

type NamedTarget = Pick<Target, 'site' | 'name'>

/** Marks a target as the one that readers see, or takes that mark from it; part of a write of the library. */
export function markLive({ fields }: Pick<Index, 'fields'>, { site, name }: NamedTarget, isLive: boolean): void {
  if (isLive !== isMarkedLive({ fields }, { site, name }))
    fields.set('site', site, [{}], { liveTarget: isLive ? name : null })
}

export const isMarkedLive = (
  { fields }: { readonly fields: Pick<Index['fields'], 'of'> },
  { site, name }: NamedTarget,
): boolean => fields.of('site', site, {})?.liveTarget === name

/** A site with the target that readers see: the one marked live, otherwise the one with the newest release. */
export function asReadSite(
  { fields, targets, releases }: Pick<IndexReads, 'fields' | 'targets' | 'releases'>,
  site: SiteId,
): ReadSite {
  const names = targets.list(site).map(({ name }) => name)
  const live = fields.of('site', site, {})?.liveTarget ?? null
  if (live !== null && names.includes(live)) return { site, target: live }
  const published = names.flatMap((name) => releases.of(site, name, 1))
  const [newest] = published.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return { site, target: newest?.target ?? null }
}

/**
 * The version that the current one of a page is compared with: the newest approved one, otherwise the one that readers see.
 * Null: nobody has approved or published the page, so all of it is new.
 */
export const baselineOf = (
  index: Pick<IndexReads, 'fields' | 'releases' | 'reviewQueue' | 'targets'>,
  site: SiteId,
  materialId: MaterialId,
): VersionId | null => index.reviewQueue.reviewOf(asReadSite(index, site), materialId)?.baseline ?? null

/** The same for any version of a page: what it was compared with when it was decided about, otherwise what precedes it. */
export const baselineBefore = (
  index: Pick<IndexReads, 'fields' | 'releases' | 'reviewQueue' | 'targets'>,
  site: SiteId,
  materialId: MaterialId,
  versionId: VersionId,
): VersionId | null => {
  const decided = index.fields.of('version', site, { materialId, versionId })?.verdict
  return decided == null
    ? index.reviewQueue.baselineBefore(asReadSite(index, site), materialId, versionId)
    : decided.baseline
}

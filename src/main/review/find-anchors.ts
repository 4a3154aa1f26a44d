import type { Anchor, FoundAnchor } from '@galley/compare'
import type { Reviewing, VersionToCompare } from '@galley/library'
import type { Answer, VersionRef } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { VersionId } from '@galley/wire'
import { ok } from '@galley/wire'

import type { ReviewJobs } from './jobs.ts'

export interface AnchorPorts {
  readonly reviewing: Pick<Reviewing, 'version'>
  readonly background: Background<ReviewJobs>
}

/** Finds places of versions of a material in one of them, in their order. Those of versions that cannot be read are lost. */
export async function findInVersion(
  { reviewing, background }: AnchorPorts,
  { versionId, ...ref }: VersionRef,
  wanted: readonly { readonly versionId: VersionId; readonly anchor: Anchor }[],
): Promise<Answer<readonly FoundAnchor[]>> {
  const target = await reviewing.version({ ...ref, versionId })
  if (!target.ok) return target
  if (wanted.length === 0) return ok([])
  const others = [...new Set(wanted.map((each) => each.versionId))].filter((id) => id !== versionId)
  const pages: VersionToCompare[] = []
  const orders = new Map<VersionId, number>()
  for (const other of others) {
    const page = await reviewing.version({ ...ref, versionId: other })
    if (page.ok) orders.set(other, pages.push(page.value) - 1)
  }
  const anchors = wanted.map(({ versionId: of, anchor }) => ({
    page: of === versionId ? null : (orders.get(of) ?? -1),
    anchor,
  }))
  return background.run('findComments', { pages, target: target.value, anchors })
}

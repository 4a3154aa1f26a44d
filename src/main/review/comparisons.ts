import { metadataDiffers } from '@galley/compare'
import type { IndexReads } from '@galley/library'
import type { Answer } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { Sha256, VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { ComparedPages, ComparedPair } from '../../ipc/desk.ts'
import type { ComparedPage, ReviewJobs } from './jobs.ts'
import type { VersionPages } from './version-pages.ts'

/** Versions never change, so these are never outdated. */
const keptAtMost = 50

/** Compares stored versions in the background, and keeps the last results. */
export function createComparisons(index: IndexReads, pages: VersionPages, background: Background<ReviewJobs>) {
  const kept = new Map<string, Promise<Answer<ComparedPages | null>>>()

  async function read({ site, materialId }: ComparedPair, versionId: VersionId) {
    const { versions, snapshots } = index
    const version = versions.find(site, materialId, versionId)
    const parts = versions.parts(site, materialId, versionId)
    if (version === null || parts === null) return null
    const media = [...versions.media(site, materialId, versionId), ...versions.referred(site, materialId, versionId)]
    const page: ComparedPage = {
      html: await pages.stored(parts.html),
      files: media.map(({ url, sha256 }): readonly [string, Sha256] => [url, sha256]),
    }
    const received = Date.parse(version.receivedAt)
    const fonts = snapshots.list(site).find(({ receivedAt }) => Date.parse(receivedAt) <= received)
    return { page, state: parts.state, metadata: parts.metadata, fonts: fonts?.archiveSha256 ?? null }
  }

  async function compare(pair: ComparedPair): Promise<Answer<ComparedPages | null>> {
    const after = await read(pair, pair.after)
    const before = pair.before === null ? null : await read(pair, pair.before)
    if (after === null || (pair.before !== null && before === null)) return fail({ code: 'unknown_version' })
    if (before === null) return ok(null)
    return background.run('reviewCompare', {
      before: before.page,
      after: after.page,
      other: {
        state: before.state !== after.state,
        fonts: before.fonts !== after.fonts,
        metadata: metadataDiffers(before.metadata, after.metadata),
      },
    })
  }

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

import type { BlockPair } from '@galley/compare'
import type { Background } from '@galley/platform'
import { storageReason } from '@galley/platform'
import type { MaterialId, Result, Sha256, SiteId, VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { ChangeFeed } from '../changes.ts'
import type { IndexReads, IndexWith } from '../db/library-index.ts'
import type { ComparedPair } from '../db/review/comparisons.ts'
import type { QueuedRow, ReadSite } from '../db/review/review-queue.ts'
import type { DamagedText, StoredText } from '../vault/stored-text.ts'
import type { Vault } from '../vault/vault.ts'
import type { MaterialRef, VersionRef } from '../views/changes.ts'
import type {
  ComparedVersions,
  ComparisonSummary,
  MaterialReview,
  ReviewPage,
  ReviewQuery,
  ReviewRow,
} from '../views/review.ts'
import { approveByRule, approveTogether, hasNoVisibleChange } from './approve-unchanged.ts'
import { asReadSite } from './baseline.ts'
import type { CompareJobs, PagesToCompare, VersionToCompare } from './compare-pages.ts'

interface Ports {
  readonly index: IndexWith<'commit' | 'comparisons' | 'fields'>
  readonly vault: Vault
  readonly background: Background<CompareJobs>
  readonly changed: ChangeFeed['changed']
  readonly now: () => Date
  readonly log: (line: string) => void
}

/** Two versions of a material; `from` null: all of `to` is new. */
interface Pair extends MaterialRef {
  readonly from: VersionId | null
  readonly to: VersionId
}

export type CompareFailure = DamagedText | { readonly code: 'unknown_version'; readonly versionId: VersionId }

/** How many comparisons become known before windows read the inbox again. */
const comparedAtOnce = 20

/** What waits for a decision, and what changed. */
export function createReviewing(ports: Ports) {
  const { index, background } = ports
  const { reviewQueue, comparisons, sites } = index
  const stop = new AbortController()

  const readSites = (site: SiteId | null): readonly ReadSite[] =>
    (site === null ? sites.list().map(({ id }) => id) : [site]).map((id) => asReadSite(index, id))

  const summarized = createSummaries(ports, stop.signal)
  const summaryOf = ({ pair, site, materialId, baseline, version }: QueuedRow): Promise<ComparisonSummary | null> =>
    summarized(pair, { site, materialId, from: baseline?.versionId ?? null, to: version.versionId })

  const together = approvingTogether(ports)
  const later = comparingLater(ports, summaryOf, stop.signal)

  return {
    /** Pages of the inbox, with what is known of their changes. */
    queue({ site, ...query }: ReviewQuery): ReviewPage {
      const of = readSites(site)
      const { counts, rows } = reviewQueue.page(of, query)
      return {
        total: query.states.reduce((sum, state) => sum + counts[state], 0),
        counts,
        unchanged: together.pages(of).length,
        rows: rows.map(shown),
        failed: of.flatMap(({ site: id }) => failedPages(index, id)),
      }
    },
    /** The row of a page in any state; null if it has no version. */
    row(site: SiteId, materialId: MaterialId): ReviewRow | null {
      const row = reviewQueue.find(asReadSite(index, site), materialId)
      return row && shown(row)
    },
    /** Compares these pages in the background, unless that was done. A change of `comparisons` says when. */
    compareLater: (pages: readonly MaterialRef[]): void =>
      later.compare(
        pages.flatMap(({ site, materialId }) => reviewQueue.find(asReadSite(index, site), materialId) ?? []),
      ),
    /** The same rows when all of them are compared; one whose page cannot be read has no summary. */
    async compared({ site, ...query }: ReviewQuery, signal: AbortSignal): Promise<readonly ReviewRow[]> {
      const found: ReviewRow[] = []
      for (const row of reviewQueue.page(readSites(site), query).rows) {
        signal.throwIfAborted()
        found.push({ ...shown(row), summary: await summaryOf(row) })
      }
      return found
    },
    /** Where each saved material of a site stands. */
    reviews: (site: SiteId): ReadonlyMap<MaterialId, MaterialReview> => reviewQueue.reviews(asReadSite(index, site)),
    reviewOf: (site: SiteId, materialId: MaterialId): MaterialReview | null =>
      reviewQueue.reviewOf(asReadSite(index, site), materialId),
    /** How much changed from one version of a material to another; null if one of them cannot be read. */
    async amount({ from, to, ...ref }: Pair & { readonly from: VersionId }): Promise<ComparisonSummary | null> {
      const [before, after] = [from, to].map((versionId) => hashesOf(index, { ...ref, versionId }))
      return before == null || after == null ? null : summarized({ before, after }, { ...ref, from, to })
    },
    /** A version, to be compared or read. */
    version: (ref: VersionRef): Promise<Result<VersionToCompare, CompareFailure>> => versionToCompare(ports, ref),
    /** Everything that changed from one version of a material to another. */
    async compare(pair: Pair): Promise<Result<ComparedVersions, CompareFailure>> {
      const pages = await pagesOf(ports, pair)
      if (!pages.ok) return pages
      const compared = await background.run('comparePages', pages.value, { signal: stop.signal })
      return compared.ok ? ok({ from: pair.from, to: pair.to, ...compared.value }) : compared
    },
    /** Which blocks of two versions belong together. */
    async blocks(pair: Pair): Promise<Result<readonly BlockPair[], CompareFailure>> {
      const pages = await pagesOf(ports, pair)
      return pages.ok ? background.run('pairBlocks', pages.value, { signal: stop.signal }) : pages
    },
    /**
     * Records whether both versions of a pair look the same, as pictures of them have shown. Approves the current version if
     * the rules of its site say so.
     */
    async looked({ site, materialId, from, to }: Pair, isEqual: boolean): Promise<void> {
      const readSite = asReadSite(index, site)
      const row = reviewQueue.find(readSite, materialId)
      if (row === null || row.version.versionId !== to || (row.baseline?.versionId ?? null) !== from) return
      if ((await summaryOf(row)) === null) return
      comparisons.look(row.pair, isEqual)
      const isRule = index.fields.of('site', site, {})?.approveUnchanged === true
      const known = reviewQueue.find(readSite, materialId)
      const isApproved = isRule && known?.version.versionId === to && hasNoVisibleChange(known)
      if (isApproved) await index.commit.write(() => approveByRule(index, known, ports.now().toISOString()))
      ports.changed({ subjects: isApproved ? ['marks'] : ['comparisons'], materials: [{ site, materialId }] })
    },
    /** Approves all pages of a site, or of all, that are known to have no visible change; returns which, as they were. */
    approveUnchanged: (site: SiteId | null, by: string) => together.approve(readSites(site), by),
    async close(): Promise<void> {
      stop.abort()
      await later.done()
    },
  }
}

export type Reviewing = ReturnType<typeof createReviewing>

const failedPages = ({ failedSaves, materials }: IndexReads, site: SiteId): ReviewPage['failed'] =>
  [...failedSaves.ofMaterials(site)].map(([materialId, save]) => ({
    ...save,
    site,
    materialId,
    title: materials.find(site, materialId)?.title ?? materialId,
  }))

/** Pages that are known to have no visible change. */
function approvingTogether({ index, changed, now }: Ports) {
  const pages = (of: readonly ReadSite[]): readonly ReviewRow[] =>
    index.reviewQueue.lookEqual(of).filter(hasNoVisibleChange).map(shown)
  return {
    pages,
    /** Approves all of them; returns which, as they were. */
    async approve(of: readonly ReadSite[], by: string): Promise<readonly ReviewRow[]> {
      const done = await index.commit.write(() => approveTogether(index, pages(of), by, now().toISOString()))
      const materials = done.map(({ site, materialId }) => ({ site, materialId }))
      if (done.length > 0) changed({ subjects: ['marks'], materials })
      return done
    },
  }
}

/** The summary of a pair, from the cache or from a thread; null if a page cannot be read. */
function createSummaries(ports: Ports, signal: AbortSignal) {
  const {
    background,
    index: { comparisons },
  } = ports
  return async (key: ComparedPair, pair: Pair): Promise<ComparisonSummary | null> => {
    const known = comparisons.find(key)
    if (known !== null) return known
    const pages = await pagesOf(ports, pair)
    if (!pages.ok) return null
    const compared = await background.run('summarizePages', pages.value, { signal })
    if (!compared.ok) return null
    const { summary, isUnchanged } = compared.value
    comparisons.put(key, summary, isUnchanged)
    return { ...summary, isUnchanged, looksEqual: null }
  }
}

/** The hashes of a version as a part of a compared pair; null if there is none. */
function hashesOf({ versions, comparisons }: IndexReads, { site, materialId, versionId }: VersionRef): string | null {
  const version = versions.find(site, materialId, versionId)
  return version && `${version.archiveSha256} ${comparisons.fontsAt(site, version.receivedAt) ?? ''}`
}

/** Compares waiting pages one after the other, each once, and says which are done. */
function comparingLater(
  { changed, log }: Ports,
  summaryOf: (row: QueuedRow) => Promise<ComparisonSummary | null>,
  stopped: AbortSignal,
) {
  const asked = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  async function compareAll(rows: readonly QueuedRow[]): Promise<void> {
    let found: MaterialRef[] = []
    for (const [at, row] of rows.entries()) {
      if ((await summaryOf(row)) !== null) found.push({ site: row.site, materialId: row.materialId })
      if (found.length < comparedAtOnce && at < rows.length - 1) continue
      if (found.length > 0) changed({ subjects: ['comparisons'], materials: found })
      found = []
    }
  }

  return {
    compare(rows: readonly QueuedRow[]): void {
      const news = rows.filter(({ summary, pair }) => summary === null && !asked.has(keyOf(pair)))
      if (news.length === 0) return
      for (const { pair } of news) asked.add(keyOf(pair))
      last = last
        .then(() => compareAll(news))
        .catch((error: unknown) => {
          if (!stopped.aborted) log(`waiting pages were not compared: ${storageReason(error)}`)
        })
        .finally(() => {
          for (const { pair } of news) asked.delete(keyOf(pair))
        })
    },
    done: () => last,
  }
}

const keyOf = ({ before, after }: ComparedPair): string => `${before} ${after}`

const shown = ({ pair: _pair, ...row }: QueuedRow): ReviewRow => row

async function pagesOf(ports: Ports, { from, to, ...ref }: Pair): Promise<Result<PagesToCompare, CompareFailure>> {
  const before = from === null ? ok(null) : await versionToCompare(ports, { ...ref, versionId: from })
  if (!before.ok) return before
  const after = await versionToCompare(ports, { ...ref, versionId: to })
  if (!after.ok) return after
  const { index, vault } = ports
  const fonts = index.snapshots.newest(ref.site)
  const place = fonts && index.blobs.find(fonts.css)
  const own = [...index.versions.publicBases(ref.site), index.publishing.of(ref.site).baseUrl ?? []].flat()
  const fontsCss = fonts && place && { sha256: fonts.css, ...(await vault.locate(place)) }
  return ok({ before: before.value, after: after.value, own, fontsCss })
}

async function versionToCompare(
  { index, vault }: Ports,
  { site, materialId, versionId }: VersionRef,
): Promise<Result<VersionToCompare, CompareFailure>> {
  const { versions, blobs, comparisons } = index
  const version = versions.withMedia(site, materialId, versionId)
  const parts = versions.parts(site, materialId, versionId)
  const place = parts && blobs.find(parts.html)
  if (version === null || parts === null || place === null) return fail({ code: 'unknown_version', versionId })
  const html: StoredText = { sha256: parts.html, ...(await vault.locate(place)) }
  const files = [...version.media, ...versions.referred(site, materialId, versionId)]
  return ok({
    html,
    files: files.map(({ url, sha256, sizeBytes }): readonly [string, Sha256, number] => [url, sha256, sizeBytes]),
    state: parts.state,
    metadata: parts.metadata,
    fonts: comparisons.fontsAt(site, version.version.receivedAt),
  })
}

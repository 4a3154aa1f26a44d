import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { keysIn, shownTitle } from '@galley/wire'

import type { GivenVerdict, Verdict } from '../../records/fields.ts'
import { verdictInForce } from '../../records/fields.ts'
import type { MaterialReview, ReviewQuery, ReviewRow, ReviewState } from '../../views/review.ts'
import { waitingStates } from '../../views/review.ts'
import { failedSaveSql, parseFailedSave } from '../callback/failed-saves.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { thumbnailOf, thumbnailSql } from '../version/thumbnail.ts'
import type { ComparedPair } from './comparisons.ts'
import { hashesSql, readComparison } from './comparisons.ts'

/** A site, and the target that readers see; null: no target. */
export interface ReadSite {
  readonly site: SiteId
  readonly target: string | null
}

/** A row, and the pair whose comparison it needs. */
export type QueuedRow = ReviewRow & { readonly pair: ComparedPair }

interface Row {
  site: SiteId
  material_id: MaterialId
  title: string
  state: ReviewState
  since: string
  version_id: VersionId
  number: number
  received_at: string
  user_email: string | null
  size_bytes: number
  verdict: string | null
  baseline_id: VersionId | null
  baseline_number: number | null
  earlier_id: VersionId | null
  earlier_number: number | null
  earlier_verdict: string | null
  thumbnail: string | null
  failed_save: string | null
  before: string
  after: string
  summary: string | null
  looks_equal: number | null
}

type Values = Readonly<Record<string, string | number | null>>

/** The newest version of a material but one, among those with a decision: few, so their own index, and not all versions, is read. */
const newestDecided = (but: string, which: string): string =>
  `(SELECT a.id FROM version a INDEXED BY version_decided WHERE a.material = m.id AND a.id <> ${but} AND a.decision ${which}
    ORDER BY a.cdate_ms DESC, a.id DESC LIMIT 1)`

// A decision that waits for the bucket of a team counts like one in the log.
const decided = `CASE WHEN w.wanted IS NULL THEN v.decision ELSE nullif(w.wanted ->> 'decision', 'cleared') END`
const verdict = 'coalesce(w.wanted, v.verdict)'

/** The baseline of a page whose current version is not approved. */
const baseline = `coalesce(${newestDecided('v.id', "= 'approved'")},
  (SELECT o.version FROM online_page o WHERE o.material = m.id AND o.target = t.value))`

/**
 * Saved materials with their current version `v`, baseline `b`, and the last version `e` before it with a decision. `t`: a
 * site, and the target that its readers see.
 */
const joined = `CROSS JOIN version v ON v.id = m.current_version
  LEFT JOIN local.waiting_mark w ON w.site = m.site AND w.material_id = m.material_id AND w.version_id = v.version_id
    AND w.field = 'verdict' AND w.theirs IS NULL
  LEFT JOIN version b ON b.id = CASE WHEN ${decided} = 'approved' THEN v.id ELSE ${baseline} END
  LEFT JOIN version e ON e.id = ${newestDecided('v.id', 'IS NOT NULL')}`

const state = `CASE WHEN ${decided} IS NOT NULL THEN ${decided} WHEN b.id IS NULL THEN 'new'
  WHEN b.id = v.id THEN 'approved' ELSE 'changed' END`

/** A page waits since the first save that is newer than its baseline, and than the last version with a decision. */
const since = `CASE WHEN ${decided} IS NOT NULL THEN ${verdict} ->> 'at' 
  WHEN b.id = v.id THEN (SELECT o.since FROM online_page o WHERE o.material = m.id AND o.target = t.value)
  ELSE (SELECT f.received_at FROM version f WHERE f.material = m.id
    AND (f.cdate_ms, f.id) > (coalesce(b.cdate_ms, -9e15), coalesce(b.id, -1))
    AND (f.cdate_ms, f.id) > (coalesce(e.cdate_ms, -9e15), coalesce(e.id, -1))
    ORDER BY f.cdate_ms, f.id LIMIT 1) END`

const before = `CASE WHEN b.id IS NULL THEN '' ELSE ${hashesSql('b', 'm.site')} END`
/** Whether both look the same depends on the parts that are not compared. */
const after = `${hashesSql('v', 'm.site')} || coalesce(' ' || nullif(m.ignored, '[]'), '')`

/** The status of a material is what the log says of its current version. Those with a waiting decision may have another state. */
const ofSites = `json_each(@sites) t CROSS JOIN material m ON m.site = t.key AND m.archived_at IS NULL
  AND (m.status IN (SELECT value FROM json_each(@statuses))
    OR (m.site, m.material_id) IN (SELECT site, material_id FROM local.waiting_mark WHERE field = 'verdict'))`

const orders: Readonly<Record<ReviewQuery['order'], string>> = {
  oldest: 'since, m.id',
  site: 'm.site, since, m.id',
  writer: 'v.user_email IS NULL, v.user_email, since, m.id',
  size: 'c.changes IS NULL, c.words DESC, c.changes DESC, since, m.id',
}

const chosen = (
  order: ReviewQuery['order'],
): string => `SELECT m.id, ${state} AS state, ${since} AS since FROM ${ofSites} ${joined}
    ${order === 'size' ? `LEFT JOIN local.comparison c ON c.before = ${before} AND c.after = ${after}` : ''}
  WHERE ${state} IN (SELECT value FROM json_each(@states)) ORDER BY ${orders[order]}`

const shown = `SELECT m.site, m.material_id, m.title, ${state} AS state, ${since} AS since, v.version_id, v.number,
    v.received_at, v.user_email, v.size_bytes, ${verdict} AS verdict, b.version_id AS baseline_id,
    b.number AS baseline_number, e.version_id AS earlier_id, e.number AS earlier_number, e.verdict AS earlier_verdict,
    ${thumbnailSql('v.id')} AS thumbnail, ${failedSaveSql} AS failed_save, ${before} AS before, ${after} AS after
  FROM material m CROSS JOIN json_each(@sites) t ON t.key = m.site ${joined}`

/** Answers by the question. All are forgotten when the data have changed. */
function remembered<Question, Answer>(dataOf: () => string, read: (question: Question) => Answer) {
  let [answers, of] = [new Map<string, Answer>(), '']
  return (question: Question): Answer => {
    const now = dataOf()
    if (now !== of) [answers, of] = [new Map(), now]
    const key = JSON.stringify(question)
    const answer = answers.get(key) ?? read(question)
    answers.set(key, answer)
    return answer
  }
}

interface Asked {
  readonly order: ReviewQuery['order']
  readonly values: Values
}

/** How the data have changed, as text that is never the same again. */
export interface QueueChanges {
  /** But for comparisons. */
  readonly ofPages: () => string
  readonly ofAll: () => string
}

/** Which pages wait for a decision, and where each page stands. Lists are sorted once, until something changes. */
export function createReviewQueue(db: ReadHandle, { ofPages, ofAll }: QueueChanges) {
  const statements = new Map(
    keysIn(orders).map((order) => [order, db.prepare<Values, { id: number; state: ReviewState }>(chosen(order))]),
  )
  const readSorted = ({ order, values }: Asked) => statements.get(order)?.all(values) ?? []
  const [sortedByPages, sortedByAll] = [remembered(ofPages, readSorted), remembered(ofAll, readSorted)]
  const anyEqual = db.prepare<[], number>('SELECT 1 FROM local.comparison WHERE looks_equal = 1 LIMIT 1').pluck()
  const equal = db.prepare<Values, { id: number }>(
    `SELECT m.id FROM ${ofSites} ${joined} JOIN local.comparison c ON c.before = ${before} AND c.after = ${after}
     WHERE c.looks_equal = 1 AND ${state} = 'changed'`,
  )
  const lookEqual = remembered(ofAll, (values: Values) => (anyEqual.get() === undefined ? [] : equal.all(values)))
  const rowWhere = (which: string) =>
    db.prepare<Values, Row>(
      `SELECT r.*, c.summary, c.looks_equal FROM (${shown} WHERE ${which}) r
       LEFT JOIN local.comparison c ON c.before = r.before AND c.after = r.after`,
    )
  const row = rowWhere('m.id = +@id')
  const one = rowWhere('m.site = +@site AND m.material_id = +@materialId')
  const reviews = db.prepare<Values, Row>(
    `SELECT m.material_id, ${state} AS state, ${since} AS since, b.version_id AS baseline_id
     FROM material m CROSS JOIN json_each(@sites) t ON t.key = m.site ${joined}
     WHERE m.site = @site AND m.material_id = coalesce(@materialId, m.material_id)`,
  )
  const baselineBefore = db.prepare<Values, { versionId: VersionId }>(
    `SELECT b.version_id AS versionId FROM material m JOIN version v ON v.material = m.id
       JOIN version b ON b.id = coalesce(
         (SELECT a.id FROM version a INDEXED BY version_decided WHERE a.material = m.id AND a.decision = 'approved'
            AND (a.cdate_ms, a.id) < (v.cdate_ms, v.id) ORDER BY a.cdate_ms DESC, a.id DESC LIMIT 1),
         (SELECT o.version FROM online_page o WHERE o.material = m.id AND o.target = @target AND o.version <> v.id))
     WHERE m.site = @site AND m.material_id = @materialId AND v.version_id = @versionId`,
  )

  const bound = (sites: readonly ReadSite[], { states }: { readonly states: readonly ReviewState[] }) => ({
    sites: sitesText(sites),
    states: JSON.stringify(states),
    statuses: JSON.stringify(states.flatMap((state) => statusesOf[state])),
  })

  const rowsOf = (ids: readonly { readonly id: number }[], sites: string): readonly QueuedRow[] =>
    ids.flatMap(({ id }) => {
      const found = row.get({ id, sites })
      return found === undefined ? [] : [toRow(found)]
    })

  return {
    /** A part of the pages in these states, and how many pages are in each state that waits, by one reading of the index. */
    page(sites: readonly ReadSite[], { states, order, offset, limit }: Omit<ReviewQuery, 'site'>) {
      const asked = new Set([...waitingStates, ...states])
      const values = bound(sites, { states: [...asked] })
      const all = (order === 'size' ? sortedByAll : sortedByPages)({ order, values })
      const counts = { ...noneWaits }
      for (const each of all) counts[each.state] += 1
      const wanted = all.filter((each) => states.includes(each.state)).slice(offset, offset + limit)
      return { counts, rows: rowsOf(wanted, values.sites) }
    },
    /** Changed pages whose pictures are known to be equal to those of their baselines. */
    lookEqual(sites: readonly ReadSite[]): readonly QueuedRow[] {
      const { states: _, ...values } = bound(sites, { states: ['changed'] })
      return rowsOf(lookEqual(values), values.sites)
    },
    /** The row of a material, in any state; null if it has no version. */
    find(site: ReadSite, materialId: MaterialId): QueuedRow | null {
      const sites = sitesText([site])
      const found = one.get({ sites, site: site.site, materialId })
      return found === undefined ? null : toRow(found)
    },
    /** Where each saved material of a site stands. */
    reviews: (site: ReadSite): ReadonlyMap<MaterialId, MaterialReview> =>
      new Map(
        reviews
          .all({ sites: sitesText([site]), site: site.site, materialId: null })
          .map((each) => [each.material_id, toReview(each)]),
      ),
    /** The same of one material; null if it has no version. */
    reviewOf(site: ReadSite, materialId: MaterialId): MaterialReview | null {
      const found = reviews.get({ sites: sitesText([site]), site: site.site, materialId })
      return found === undefined ? null : toReview(found)
    },
    /** What a version is compared with: the newest approved one before it, otherwise the published one. */
    baselineBefore: ({ site, target }: ReadSite, materialId: MaterialId, versionId: VersionId): VersionId | null =>
      baselineBefore.get({ site, target, materialId, versionId })?.versionId ?? null,
  }
}

const noneWaits: Record<ReviewState, number> = { new: 0, changed: 0, approved: 0, changes_requested: 0 }

const statusesOf: Readonly<Record<ReviewState, readonly string[]>> = {
  new: ['saved'],
  changed: ['saved'],
  approved: ['saved', 'approved'],
  changes_requested: ['changes_requested'],
}

const sitesText = (sites: readonly ReadSite[]): string =>
  JSON.stringify(Object.fromEntries(sites.map(({ site, target }) => [site, target ?? ''])))

const toReview = ({ state, since, baseline_id: baseline }: Row): MaterialReview => ({ state, baseline, since })

const verdictIn = (text: string | null): Verdict | null =>
  text === null ? null : verdictInForce(JSON.parse(text) as GivenVerdict | null)

function toRow(row: Row): QueuedRow {
  const earlier = row.state === 'new' || row.state === 'changed' ? verdictIn(row.earlier_verdict) : null
  return {
    site: row.site,
    materialId: row.material_id,
    title: shownTitle(row.title),
    state: row.state,
    since: row.since,
    version: { versionId: row.version_id, number: row.number },
    baseline: numbered(row.baseline_id, row.baseline_number),
    savedBy: row.user_email,
    savedAt: row.received_at,
    sizeBytes: row.size_bytes,
    verdict: verdictIn(row.verdict),
    answers: answered(numbered(row.earlier_id, row.earlier_number), earlier),
    thumbnail: thumbnailOf(row.thumbnail),
    failedSave: parseFailedSave(row.failed_save),
    summary: readComparison(row),
    pair: { before: row.before, after: row.after },
  }
}

const numbered = (versionId: VersionId | null, number: number | null): ReviewRow['baseline'] =>
  versionId === null || number === null ? null : { versionId, number }

function answered(version: ReviewRow['baseline'], verdict: Verdict | null): ReviewRow['answers'] {
  if (version === null || verdict?.decision !== 'changes_requested') return null
  const { by, at, reason } = verdict
  return { ...version, by, at, reason }
}

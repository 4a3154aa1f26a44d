import type { Change, HeadChange, OtherParts, PageCheck, Summary } from '@galley/compare'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { z } from 'zod'

import type { Verdict } from '../records/fields.ts'
import type { FailedSave, StoredFile } from './materials.ts'
import { siteIdText } from './site-id.ts'

/**
 * Where a page stands. `new`: nobody has approved or published it. `changed`: its current version differs from the baseline.
 * `approved`: its current version is approved, or readers see it already. `changes_requested`: it is back with its writer.
 */
export const reviewStates = ['new', 'changed', 'approved', 'changes_requested'] as const
export type ReviewState = (typeof reviewStates)[number]
/** The states of pages that wait for somebody. */
export const waitingStates: readonly ReviewState[] = ['new', 'changed', 'changes_requested']

export const reviewQuery = z.strictObject({
  /** Null: all sites. */
  site: siteIdText.nullable(),
  states: z.array(z.enum(reviewStates)).min(1).max(reviewStates.length),
  /** `oldest`: what waits longest first. `size`: what changed most first, and what is not compared yet last. */
  order: z.enum(['oldest', 'site', 'writer', 'size']),
  offset: z.int().min(0),
  limit: z.int().min(1).max(10_000),
})
export type ReviewQuery = z.infer<typeof reviewQuery>

/** A version by its number in the timeline. */
interface Numbered {
  readonly versionId: VersionId
  readonly number: number
}

/** What changed from the baseline of a page, as facts of a sentence. */
export interface ComparisonSummary extends Summary {
  /** Nothing that is in the texts of both versions differs; see `isUnchanged` of compare. */
  readonly isUnchanged: boolean
  /** Whether their pictures are equal at all widths; null: not known. */
  readonly looksEqual: boolean | null
}

/** Where the current version of a material stands. */
export interface MaterialReview {
  readonly state: ReviewState
  /** The version that it is compared with: the last approved one, otherwise the published one. */
  readonly baseline: VersionId | null
  /** When that began, ISO 8601 UTC: the first save that waits, or the decision. */
  readonly since: string
}

/** A page in the inbox. */
export interface ReviewRow {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string
  readonly state: ReviewState
  readonly since: string
  /** The current version. */
  readonly version: Numbered
  readonly baseline: Numbered | null
  /** Who saved the current version, and when; ISO 8601 UTC. */
  readonly savedBy: string | null
  readonly savedAt: string
  readonly sizeBytes: number
  /** The decision about the current version. */
  readonly verdict: Verdict | null
  /** Changes that were requested of an earlier version, which the current one answers. */
  readonly answers: (Numbered & Pick<Verdict, 'by' | 'at' | 'reason'>) | null
  readonly thumbnail: StoredFile | null
  readonly failedSave: FailedSave | null
  /** Null: not compared yet. A change of `comparisons` says when it is. */
  readonly summary: ComparisonSummary | null
}

/** A material whose last save failed, in the queue or not. */
interface FailedPage extends FailedSave {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string
}

export interface ReviewPage {
  readonly total: number
  /** How many pages wait in each state, whatever was asked for. */
  readonly counts: Readonly<Record<ReviewState, number>>
  /** How many changed pages are known to have no visible change. */
  readonly unchanged: number
  readonly rows: readonly ReviewRow[]
  /** Of the same sites. */
  readonly failed: readonly FailedPage[]
}

/** What changed between two versions, with the places in both pages. */
export interface ComparedVersions {
  readonly from: VersionId | null
  readonly to: VersionId
  /** With `from` null, everything is new. */
  readonly summary: Summary
  readonly isUnchanged: boolean
  readonly changes: readonly Change[]
  /** What changed besides the content. */
  readonly head: readonly HeadChange[]
  readonly other: OtherParts
  /** What a reader may trip over in `to`, in the order of the page. */
  readonly checks: readonly ReviewedCheck[]
}

/** A check of a page; `isNew`: the version before passed it. */
export interface ReviewedCheck extends PageCheck {
  readonly isNew: boolean
}

import type { Answer, ComparedVersions, DecidedBefore, ReviewPage, ReviewRow } from '@galley/library/records'
import { reviewQuery, wantedVerdict } from '@galley/library/records'
import { z } from 'zod'

import { asks, inMaterial, inVersion, siteId, versionId } from './call.ts'

export const reviewQueueCalls = {
  /** Pages of the inbox, with what is known of their changes. */
  reviewQueue: asks(reviewQuery).gives<ReviewPage>(),
  /** The row of one page in any state; null if it has no version. */
  reviewRow: asks(inMaterial).gives<ReviewRow | null>(),
  /** Has these pages compared in the background, where that was not done; a change of `comparisons` says when. */
  compareLater: asks(z.strictObject({ pages: z.array(inMaterial).max(100) })).gives<null>(),
  /** The newest decision of the person here that still holds, on one site or all; null: there is none. */
  lastDecision: asks(z.strictObject({ site: siteId.nullable() })).gives<DecidedBefore | null>(),
  /** Approves all pages that are known to have no visible change; returns which, as they were. */
  approveUnchanged: asks(z.strictObject({ site: siteId.nullable() })).gives<readonly ReviewRow[]>(),
  /** Decides about a version. Fails with `moved_on` if the page has a newer one, unless `mayBeOld`, and with `same_person`. */
  decideReview: asks(inVersion.extend({ verdict: wantedVerdict, mayBeOld: z.boolean() })).gives<Answer<null>>(),
  /** How much changed between two versions; null if one of them cannot be read. Kept, so that a second call is cheap. */
  changeAmount: asks(inMaterial.extend({ from: versionId, to: versionId })).gives<{
    readonly changes: number
    readonly words: number
  } | null>(),
  /**
   * What changed between two versions; `from` null: everything is new. Fails with `unknown_version`, and with `damaged_blob` if a
   * page cannot be read.
   */
  compareVersions: asks(inMaterial.extend({ from: versionId.nullable(), to: versionId })).gives<
    Answer<ComparedVersions>
  >(),
}

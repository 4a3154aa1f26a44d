import type { Answer, ComparedVersions, ReviewPage } from '@galley/library/records'
import { reviewQuery } from '@galley/library/records'

import { asks, inMaterial, versionId } from './call.ts'

export const reviewQueueCalls = {
  /**
   * Pages of the inbox, at once. Summaries that are not known yet are worked out in the background; a change of `comparisons`
   * says when they are.
   */
  reviewQueue: asks(reviewQuery).gives<ReviewPage>(),
  /**
   * What changed between two versions; `from` null: everything is new. Fails with `unknown_version`, and with `damaged_blob` if a
   * page cannot be read.
   */
  compareVersions: asks(inMaterial.extend({ from: versionId.nullable(), to: versionId })).gives<
    Answer<ComparedVersions>
  >(),
}

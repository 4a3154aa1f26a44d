import type { Cause } from '@galley/wire'

import type { FileCounts } from '../records/release.ts'
import type { BundlePlan, LeftOutFindings, ReferenceFindings } from './exports.ts'

/** The changes that a publication would make; nothing was written. */
export interface PublishPlan extends BundlePlan {
  readonly target: string
  /** More than half of the pages of the target would be removed, which a person has to allow; null: fewer. */
  readonly removals: { readonly removed: number; readonly pages: number } | null
}

/** A verified publication. Without changes, there is no new release. */
export interface PublishReport {
  readonly releaseId: string
  readonly target: string
  readonly counts: FileCounts
  /** `files` were read back; `found` counts media files that were only looked up. */
  readonly verified: { readonly files: number; readonly via: 'public_url' | 'target'; readonly found: number }
  /** Files that were sent again because the target lacked them; `paths` are the first of them. */
  readonly repaired: { readonly count: number; readonly paths: readonly string[] }
  /** What readers see and the publisher may not expect. */
  readonly remarks: readonly Cause[]
  readonly leftOut: LeftOutFindings
  readonly references: ReferenceFindings | null
}

import type { Result } from '@galley/wire'

import type { Index } from '../db/library-index.ts'
import type { ReviewRow } from '../views/review.ts'
import type { DecisionFailure } from './decide.ts'
import { decide } from './decide.ts'

/**
 * Whether the rule of a site approves the current version of a page: it changed nothing in its texts, and its pictures are
 * known to be equal. Never a first version, nor one that answers a request.
 */
export const isApprovedByRule = ({ state, baseline, answers, summary }: ReviewRow): boolean =>
  state === 'changed' &&
  baseline !== null &&
  answers === null &&
  summary !== null &&
  summary.isUnchanged &&
  summary.looksEqual === true

/** Approves it, and says that the rule did; part of a write of the library. */
export const approveByRule = (
  index: Index,
  { site, materialId, version }: ReviewRow,
  at: string,
): Result<null, DecisionFailure> =>
  decide(
    index,
    { site, materialId, versionId: version.versionId, mayBeOld: false },
    { decision: 'approved', by: 'Galley', at, reason: '', rule: 'unchanged' },
  )

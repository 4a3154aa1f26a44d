import type { Result } from '@galley/wire'

import type { IndexWith } from '../db/library-index.ts'
import type { ReviewRow } from '../views/review.ts'
import type { DecisionFailure } from './decide.ts'
import { decide } from './decide.ts'

/**
 * Whether the current version of a page has no visible change: nothing in its texts, and its pictures are known to be equal.
 * Never a first version, nor one that answers a request. Such pages are approved together, or by the rule of a site.
 */
export const hasNoVisibleChange = ({ state, baseline, answers, summary }: ReviewRow): boolean =>
  state === 'changed' &&
  baseline !== null &&
  answers === null &&
  summary !== null &&
  summary.isUnchanged &&
  summary.looksEqual === true

/** Approves these as a person has said, but those that they saved themselves where the rules of a site forbid that. */
export const approveTogether = <Row extends ReviewRow>(
  index: IndexWith<'fields'>,
  rows: readonly Row[],
  by: string,
  at: string,
) =>
  rows.filter(({ site, materialId, version: { versionId } }) => {
    const version = { site, materialId, versionId, mayBeOld: false }
    return decide(index, version, { decision: 'approved', by, at, reason: '' }).ok
  })

/** Approves it, and says that the rule did; part of a write of the library. */
export const approveByRule = (
  index: IndexWith<'fields'>,
  { site, materialId, version }: ReviewRow,
  at: string,
): Result<null, DecisionFailure> =>
  decide(
    index,
    { site, materialId, versionId: version.versionId, mayBeOld: false },
    { decision: 'approved', by: 'Galley', at, reason: '', rule: 'unchanged' },
  )

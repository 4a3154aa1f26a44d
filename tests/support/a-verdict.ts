import type { GivenVerdict } from '../../packages/library/records/fields.ts'

/** A decision of Ida's about a version. */
export const aVerdict = (
  decision: GivenVerdict['decision'],
  reason = '',
  at = '2026-11-24T10:00:00.000Z',
): GivenVerdict => ({ decision, reason, at, by: 'Ida', baseline: null })

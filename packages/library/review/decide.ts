import { userInfo } from 'node:os'
import type { MaterialId, Result, SiteId, VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Index } from '../db/library-index.ts'
import type { GivenVerdict } from '../records/fields.ts'

/** The version that a decision is about. */
export interface DecidedVersion {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
  /** Whether the decision is about this version even if the material has a newer one. */
  readonly mayBeOld: boolean
}

/** `moved_on`: the material has a newer version. */
export type DecisionFailure = 'unknown_version' | 'moved_on'

/**
 * Records what a person decides about a version, as part of a write of the library. Approving an approved version without a
 * new reason changes nothing.
 */
export function decide(
  { fields, materials }: Pick<Index, 'fields' | 'materials'>,
  { site, mayBeOld, ...version }: DecidedVersion,
  given: Pick<GivenVerdict, 'decision' | 'reason' | 'by' | 'at'>,
): Result<null, DecisionFailure> {
  const before = fields.of('version', site, version)
  if (before === null) return fail('unknown_version')
  const current = materials.find(site, version.materialId)?.currentVersionId
  if (!mayBeOld && current !== version.versionId) return fail('moved_on')
  const isRepeated = given.decision === 'approved' && before.verdict?.decision === 'approved' && given.reason === ''
  const reason = isRepeated ? before.verdict.reason : given.reason
  fields.set('version', site, [version], { verdict: { ...given, reason, baseline: null } })
  return ok(null)
}

/** Takes back the last decision. */
export const cleared = { decision: 'cleared', reason: '' } as const

/** The name of the person at this computer, as the system has it. */
export function personHere(): string {
  try {
    return userInfo().username || 'unknown'
  } catch {
    // The account of this process has no name, as in some containers.
    return 'unknown'
  }
}

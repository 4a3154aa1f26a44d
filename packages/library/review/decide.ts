import { userInfo } from 'node:os'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { IndexWith } from '../db/library-index.ts'
import type { GivenVerdict } from '../records/fields.ts'
import { isSamePerson } from '../records/same-person.ts'
import type { VersionRef } from '../views/changes.ts'
import type { AppSettings } from '../views/settings.ts'
import { asReadSite } from './baseline.ts'

/** The version that a decision is about. */
export interface DecidedVersion extends VersionRef {
  /** Whether the decision is about this version even if the material has a newer one. */
  readonly mayBeOld: boolean
}

/** `moved_on`: the material has a newer version. `same_person`: whoever saved it may not approve it. */
export type DecisionFailure = 'unknown_version' | 'moved_on' | 'same_person'

type DecisionPorts = IndexWith<'fields'>

/**
 * Records what a person decides about a version, with the version that it was compared with, as part of a write of the
 * library. Approving an approved version without a new reason changes nothing.
 */
export function decide(
  index: DecisionPorts,
  { site, mayBeOld, ...version }: DecidedVersion,
  given: Omit<GivenVerdict, 'baseline'>,
): Result<null, DecisionFailure> {
  const { fields, materials, reviewQueue, versions } = index
  const before = fields.of('version', site, version)
  if (before === null) return fail('unknown_version')
  const { materialId, versionId } = version
  if (!mayBeOld && materials.find(site, materialId)?.currentVersionId !== versionId) return fail('moved_on')
  const isRepeated = given.decision === 'approved' && before.verdict?.decision === 'approved' && given.reason === ''
  if (given.decision === 'approved' && !isRepeated) {
    const savedBy = versions.find(site, materialId, versionId)?.userEmail ?? null
    const mayBeSame = fields.of('site', site, {})?.samePersonMayApprove !== false
    if (!mayBeSame && savedBy !== null && isSamePerson(given.by, savedBy)) return fail('same_person')
  }
  const baseline = reviewQueue.baselineBefore(asReadSite(index, site), materialId, versionId)
  const reason = isRepeated ? before.verdict.reason : given.reason
  fields.set('version', site, [version], { verdict: { ...given, reason, baseline } })
  return ok(null)
}

/** Takes back the last decision. */
export const cleared = { decision: 'cleared', reason: '' } as const

/** The name of the person at this computer: as they have typed it, otherwise as the system has it. */
export function personHere({ personName }: Pick<AppSettings, 'personName'>): string {
  if (personName.trim() !== '') return personName.trim()
  try {
    return userInfo().username || 'unknown'
  } catch {
    // The account of this process has no name, as in some containers.
    return 'unknown'
  }
}

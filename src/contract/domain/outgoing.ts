import type { MaterialId, VersionId } from '../ids.ts'

/** Which versions of a site may leave the library: of each material the newest of these goes out. */
export const outgoingRules = ['all', 'not-rejected', 'approved'] as const
export type Outgoing = (typeof outgoingRules)[number]

/** What somebody decided about a version; null: nobody has. */
export type VerdictKind = 'approved' | 'rejected' | null

/**
 * Why a version does not go out. `pinned`: the site shows another one. `draft`: the site does not publish the material.
 * `scheduled`: it does not yet.
 */
export type LeftOutReason = 'rejected' | 'not_approved' | 'archived' | 'pinned' | 'draft' | 'scheduled'

/** A material whose current version does not go out. */
export interface LeftOut {
  readonly materialId: MaterialId
  readonly title: string
  readonly versionId: VersionId
  readonly reason: LeftOutReason
  /** The older version that goes out in its place; null: nothing of this material does. */
  readonly insteadVersionId: VersionId | null
}

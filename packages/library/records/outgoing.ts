import type { MaterialId, VersionId } from '@galley/wire'

/**
 * The rules for which versions of a site may be published. The newest allowed version of each material is the outgoing one.
 */
export const outgoingRules = ['all', 'not-rejected', 'approved'] as const
export type Outgoing = (typeof outgoingRules)[number]

/** What a reviewer can decide about a version. */
export const decisions = ['approved', 'changes_requested'] as const
/** The decision about a version; null if there is none. */
export type VerdictKind = (typeof decisions)[number] | null

/**
 * Why a version is not published. `pinned`: the site publishes another one. `draft`: the material is not published.
 * `scheduled`: not yet.
 */
export const leftOutReasons = ['rejected', 'not_approved', 'archived', 'pinned', 'draft', 'scheduled'] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

/** A material whose current version is not published. */
export interface LeftOut {
  readonly materialId: MaterialId
  readonly title: string
  readonly versionId: VersionId
  readonly reason: LeftOutReason
  /** The older version that is published instead; null if none is. */
  readonly insteadVersionId: VersionId | null
}

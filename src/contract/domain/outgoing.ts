import type { MaterialId, VersionId } from '../ids.ts'

/** Which versions of a site may leave the library: of each material the newest of these goes out. */
export const outgoingRules = ['all', 'not-rejected', 'approved'] as const
export type Outgoing = (typeof outgoingRules)[number]

/** What a site says of its exports. It is shared with everybody who uses the library. */
export interface Publishing {
  readonly outgoing: Outgoing
}

/** What holds where nobody has said anything. */
export const publishingDefaults: Publishing = { outgoing: 'not-rejected' }

/** What somebody decided about a version; null: nobody has. */
export type VerdictKind = 'approved' | 'rejected' | null

/** A material whose current version does not go out. */
export interface LeftOut {
  readonly materialId: MaterialId
  readonly title: string
  readonly versionId: VersionId
  readonly reason: 'rejected' | 'not_approved' | 'archived'
  /** The older version that goes out in its place; null: nothing of this material does. */
  readonly insteadVersionId: VersionId | null
}

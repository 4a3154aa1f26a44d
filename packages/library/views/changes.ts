import type { MaterialId, SiteId, VersionId } from '@galley/wire'

/**
 * What a change may concern. `marks`: what persons set on versions, and the status of their materials that follows.
 * `comparisons`: what is known of the differences of waiting pages.
 */
const subjects = [
  'sites',
  'materials',
  'marks',
  'snapshots',
  'callbacks',
  'exports',
  'rules',
  'targets',
  'comparisons',
] as const
export type Subject = (typeof subjects)[number]

/** Identifies a material. */
export interface MaterialRef {
  readonly site: SiteId
  readonly materialId: MaterialId
}

/** Identifies a version of a material. */
export interface VersionRef extends MaterialRef {
  readonly versionId: VersionId
}

/** A change of the library, by what has to be read again. */
export interface Change {
  readonly subjects: readonly Subject[]
  /** The materials that it concerns; absent: any. */
  readonly materials?: readonly MaterialRef[] | undefined
}

/** A change of which nothing is known, as by another process. */
export const anyChange: Change = { subjects }

/** Two changes as one. */
export const bothChanges = (one: Change, other: Change): Change => ({
  subjects: [...new Set([...one.subjects, ...other.subjects])],
  materials: one.materials && other.materials && [...one.materials, ...other.materials],
})

import type { Cause, MaterialId, SiteId, VersionId } from '@galley/wire'

import type { Verdict } from '../records/fields.ts'

/** How far a member of a team follows the log in the bucket. */
export type TeamSyncState =
  /** The bucket has not been asked yet. */
  | { readonly kind: 'looking' | 'current' }
  /** Entries of the log are not applied here yet. */
  | { readonly kind: 'behind'; readonly entries: number }
  /** The bucket cannot be reached, which may be temporary. */
  | { readonly kind: 'offline'; readonly since: string; readonly why: Cause }
  /** Following has stopped until a person fixes the cause. */
  | { readonly kind: 'stopped'; readonly since: string; readonly why: Cause }
  /** The log is followed, but the bucket refuses writes. With `isReadOnly` the keys are known to be the cause. */
  | { readonly kind: 'refusing'; readonly since: string; readonly why: Cause }

/** A library that is a member of a team; the keys of its bucket stay in main. */
export interface TeamView {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string | null
  readonly region: string | null
  /** The keys can read the team library, but not write to it. */
  readonly isReadOnly: boolean
  /** When conditional writes were last tested, and with how many requests; 0: the keys cannot write. */
  readonly probe: { readonly at: string; readonly requests: number }
  readonly syncState: TeamSyncState
  /** Changes of this computer that the bucket does not have yet. */
  readonly waiting: number
  /** Changes that conflict with the team's; a person must decide. */
  readonly undecided: number
}

/** The folder of the new member; the open library does not change. */
export interface JoinedTeam {
  readonly folder: string
}

/** A library that has left its team. */
export interface LeftTeam {
  /** Files that are only in the bucket. */
  readonly filesMissing: number
}

/** The value of a field. `null`: no verdict. */
export type FieldValue = string | boolean | readonly string[] | Pick<Verdict, 'decision' | 'reason'> | null

/** A change made here without the bucket, of a field that the team has changed too. */
export interface TeamConflict {
  readonly id: number
  readonly site: { readonly id: SiteId; readonly name: string }
  readonly materialId: MaterialId
  /** null: the team has deleted the material. */
  readonly title: string | null
  /** null for a field of the material. `number` null: the team has deleted the version. */
  readonly version: { readonly id: VersionId; readonly number: number | null } | null
  /** `tag`: whether the material has the tag `tag`; `tags`: all tags of a version. */
  readonly field: 'pinned' | 'tags' | 'note' | 'verdict' | 'title' | 'slug' | 'archivedAt' | 'ignored' | 'tag'
  readonly tag: string | null
  /** When it was changed here. */
  readonly at: string
  readonly before: FieldValue
  readonly mine: FieldValue
  /** null: the material or version was deleted, so nothing can be written. `at` null: the log has no time for it. */
  readonly theirs: { readonly value: FieldValue; readonly at: string | null } | null
}

export interface TeamConflicts {
  readonly total: number
  /** The oldest, at most `conflictsAtMost`. */
  readonly conflicts: readonly TeamConflict[]
}

import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import type { CommentAnchor, CommentId } from '../records/comment.ts'

/** What one person wrote. `by` is empty after the name was erased. */
export interface Comment {
  readonly id: CommentId
  readonly by: string
  readonly at: string
  readonly text: string
}

/** A comment on a place of a version, with its answers. */
export interface CommentThread {
  readonly id: CommentId
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
  /** The number of the version. */
  readonly number: number
  readonly anchor: CommentAnchor
  /** The comment, then its answers, in their order. */
  readonly comments: readonly Comment[]
  /** Null: it is open. */
  readonly resolved: { readonly by: string; readonly at: string } | null
  /** Some of it waits on this computer for the bucket of the team. */
  readonly isWaiting: boolean
}

/** A material with comments that a person may want to look at. */
export interface AnsweredMaterial {
  readonly site: SiteId
  readonly materialId: MaterialId
  /** Open threads of the person in which somebody else has the last word, and when the last one was written. */
  readonly answered: number
  readonly at: string | null
  /** Open threads on other versions than the current one, whose place may have changed. */
  readonly older: number
}

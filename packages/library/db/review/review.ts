import type { Database } from 'better-sqlite3'

import { createComments } from '../comment/comments.ts'
import type { Commit } from '../commit/commit.ts'
import { foreignChanges } from '../database/foreign-changes.ts'
import { createComparisons } from './comparisons.ts'
import { createReviewQueue } from './review-queue.ts'

/** What review needs of an index: which pages wait, what is known of their changes, and what was said about them. */
export function createReview(db: Database, commit: Commit) {
  const comparisons = createComparisons(db)
  const own = db.prepare<[], number>('SELECT total_changes()').pluck()
  const changes = (but: number): string => `${(own.get() ?? 0) - but} ${foreignChanges(db)}`
  return {
    reviewQueue: createReviewQueue(db, { ofPages: () => changes(comparisons.written()), ofAll: () => changes(0) }),
    comparisons,
    comments: createComments(db, commit),
  }
}

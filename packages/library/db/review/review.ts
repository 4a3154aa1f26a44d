import type { Database } from 'better-sqlite3'

import { createComments } from '../comment/comments.ts'
import type { Commit } from '../commit/commit.ts'
import { createComparisons } from './comparisons.ts'
import { createReviewQueue } from './review-queue.ts'

/** What review needs of an index: which pages wait, what is known of their changes, and what was said about them. */
export const createReview = (db: Database, commit: Commit) => ({
  reviewQueue: createReviewQueue(db),
  comparisons: createComparisons(db),
  comments: createComments(db, commit),
})

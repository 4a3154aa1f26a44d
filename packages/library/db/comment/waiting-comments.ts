import type { Database } from 'better-sqlite3'

import type { Change, ChangeOf } from '../../records/changes.ts'
import { durably } from '../commit/durably.ts'
import type { ReadHandle } from '../database/read-handle.ts'

/** A change of comments. */
export type CommentChange = ChangeOf<'comment_added' | 'comment_answered' | 'comment_settled'>

interface Row {
  readonly id: number
  readonly change: string
}

const isOfComments = (change: Change): change is CommentChange =>
  change.kind === 'comment_added' || change.kind === 'comment_answered' || change.kind === 'comment_settled'

/** What was said while the bucket of the team was away, in its order. */
export function createWaitingCommentList(db: ReadHandle) {
  const all = db.prepare<[], Row>('SELECT id, change FROM local.waiting_comment ORDER BY id')
  return () => all.all().map(({ id, change }) => ({ id, change: JSON.parse(change) as CommentChange }))
}

/**
 * Comments wait as they are: they have random ids, so nothing that others wrote meanwhile contradicts them, and a second
 * writing of one changes nothing.
 */
export function createWaitingComments(db: Database) {
  const put = db.prepare<[string]>('INSERT INTO local.waiting_comment (change) VALUES (?)')
  const remove = db.prepare<[number]>('DELETE FROM local.waiting_comment WHERE id = ?')
  return {
    list: createWaitingCommentList(db),
    /** False if something else is among the changes. Durable when it returns. */
    hold(changes: readonly Change[]): boolean {
      if (changes.length === 0 || !changes.every(isOfComments)) return false
      durably(db, () =>
        db.transaction(() => {
          for (const change of changes) put.run(JSON.stringify(change))
        })(),
      )
      return true
    },
    drop: (id: number): void => void remove.run(id),
  }
}

import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import { searchWords } from '../database/search-words.ts'
import type { NextId } from './row-ids.ts'
import type { SaveWriter } from './saves.ts'

interface Parts {
  readonly saves: Pick<SaveWriter, 'rowOf'>
  readonly nextId: NextId
}

/**
 * Writes comments and their answers. What belongs to a version or thread that was deleted meanwhile is skipped, and so is
 * what is there: a member who did not learn that it was written writes it again.
 */
export function createCommentWriter(db: Database, { saves, nextId }: Parts) {
  const known = db.prepare<[string], { yes: number }>('SELECT 1 AS yes FROM comment WHERE comment_id = ?')
  const add = db.prepare<Record<string, string | number>>(
    `INSERT INTO comment (id, comment_id, version, anchor, text, words, author, at)
     VALUES (@row, @id, @version, @anchor, @text, @words, @by, @at)`,
  )
  const answer = db.prepare<Record<string, string | number>>(
    `INSERT INTO comment (id, comment_id, version, thread, text, words, author, at)
     SELECT @row, @id, version, id, @text, @words, @by, @at FROM comment WHERE comment_id = @thread AND thread IS NULL`,
  )
  const settle = db.prepare<[string | null, string | null, string]>(
    'UPDATE comment SET resolved_by = ?, resolved_at = ? WHERE comment_id = ? AND thread IS NULL',
  )
  const forgetAuthor = db.prepare<[string]>(`UPDATE comment SET author = '' WHERE comment_id = ?`)
  const forgetResolver = db.prepare<[string]>(
    `UPDATE comment SET resolved_by = '' WHERE comment_id = ? AND resolved_by IS NOT NULL`,
  )

  return {
    add({ site, materialId, versionId, anchor, ...comment }: ChangeOf<'comment_added'>['comment']): void {
      const version = saves.rowOf(site, materialId, versionId)
      if (version === null || known.get(comment.id)) return
      const words = searchWords(comment.text, anchor.kind === 'text' ? anchor.exact : anchor.label)
      add.run({ ...comment, row: nextId(), version, anchor: JSON.stringify(anchor), words })
    },
    answer(written: ChangeOf<'comment_answered'>['answer']): void {
      if (!known.get(written.id)) answer.run({ ...written, row: nextId(), words: searchWords(written.text) })
    },
    settle: ({ thread, isResolved, by, at }: ChangeOf<'comment_settled'>): void =>
      void settle.run(isResolved ? by : null, isResolved ? at : null, thread),
    /** Takes the names out of these. */
    erase({ authors, resolvers }: NonNullable<ChangeOf<'person_erased'>['comments']>): void {
      for (const id of authors) forgetAuthor.run(id)
      for (const id of resolvers) forgetResolver.run(id)
    },
  }
}

export type CommentWriter = ReturnType<typeof createCommentWriter>

import type { Sha256 } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import { createSearchDocumentWriter } from '../apply/search-documents.ts'

/** A material whose current page is not searchable yet, and the blob of that page. */
export interface UnreadPage {
  readonly material: number
  readonly html: Sha256
}

/**
 * Texts of current pages for the search. They are in files, not in the log, so they are read again after a rebuild. The only
 * part of the index that is not written by `apply`.
 */
export function createPageTexts(db: Database) {
  const unread = db.prepare<[number], UnreadPage>(
    `SELECT u.material, v.html_sha256 AS html FROM unread_page u
       JOIN material m ON m.id = u.material JOIN version v ON v.id = m.current_version LIMIT ?`,
  )
  const isCurrent = db.prepare<[number, string], { yes: number }>(
    `SELECT 1 AS yes FROM material m JOIN version v ON v.id = m.current_version
     WHERE m.id = ? AND v.html_sha256 = ?`,
  )
  const documents = createSearchDocumentWriter(db)
  const read = db.prepare<[number]>('DELETE FROM unread_page WHERE material = ?')

  return {
    unread: (limit: number): readonly UnreadPage[] => unread.all(limit),
    /** `text` null: the page cannot be read and is not tried again. */
    fill: db.transaction(({ material, html }: UnreadPage, text: string | null): void => {
      if (isCurrent.get(material, html) === undefined) return
      if (text === null) read.run(material)
      else documents.showPage(material, text)
    }).immediate,
  }
}

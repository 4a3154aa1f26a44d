import { tokensOf } from '@galley/wire'
import type { Database } from 'better-sqlite3'

/** Writes the search document of each material, and records which pages must still be read. */
export function createSearchDocumentWriter(db: Database) {
  db.function('search_tokens', { deterministic: true }, (text) => tokensOf(String(text ?? '')).join(' '))
  const describe = db.prepare<[number]>(
    `INSERT OR REPLACE INTO material_text (rowid, title, material_id, tags, page)
     SELECT m.id, search_tokens(m.title), search_tokens(m.material_id),
       search_tokens((SELECT group_concat(tag, ' ' ORDER BY tag) FROM material_tag WHERE material = m.id)),
       search_tokens((SELECT text FROM page_text WHERE material = m.id))
     FROM material m WHERE m.id = ?`,
  )
  const keep = db.prepare<[number, string]>('INSERT OR REPLACE INTO page_text (material, text) VALUES (?, ?)')
  const forget = db.prepare<[number]>('DELETE FROM page_text WHERE material = ?')
  const unread = db.prepare<[number]>('INSERT OR IGNORE INTO unread_page (material) VALUES (?)')
  const read = db.prepare<[number]>('DELETE FROM unread_page WHERE material = ?')

  return {
    /** Rewrites the document, except for the page text. */
    refresh: (material: number): void => void describe.run(material),
    /** Call when the current version has changed. `text` is its text if already known. */
    showPage(material: number, text: string | undefined): void {
      if (text === undefined) {
        forget.run(material)
        unread.run(material)
      } else {
        keep.run(material, text)
        read.run(material)
      }
      describe.run(material)
    },
  }
}

export type SearchDocumentWriter = ReturnType<typeof createSearchDocumentWriter>

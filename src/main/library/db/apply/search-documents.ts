import type { Database } from 'better-sqlite3'

/** Writes the search document of each material, and records which pages must still be read. */
export function createSearchDocumentWriter(db: Database) {
  const describe = db.prepare<{ id: number; page: string | null }>(
    `INSERT OR REPLACE INTO material_text (rowid, title, material_id, tags, page)
     SELECT m.id, m.title, m.material_id,
       coalesce((SELECT group_concat(tag, ' ' ORDER BY tag) FROM material_tag WHERE material = m.id), ''),
       coalesce(@page, (SELECT page FROM material_text WHERE rowid = m.id), '')
     FROM material m WHERE m.id = @id`,
  )
  const unread = db.prepare<[number]>('INSERT OR IGNORE INTO unread_page (material) VALUES (?)')
  const read = db.prepare<[number]>('DELETE FROM unread_page WHERE material = ?')

  return {
    /** Rewrites the document, except for the page text. */
    refresh: (material: number): void => void describe.run({ id: material, page: null }),
    /** Call when the current version has changed. `text` is its text if already known. */
    showPage(material: number, text: string | undefined): void {
      describe.run({ id: material, page: text ?? '' })
      if (text === undefined) unread.run(material)
      else read.run(material)
    },
  }
}

export type SearchDocumentWriter = ReturnType<typeof createSearchDocumentWriter>

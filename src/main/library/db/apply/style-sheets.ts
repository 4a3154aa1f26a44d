import type { Database } from 'better-sqlite3'

import type { Sha256 } from '../../../../contract/ids.ts'
import { isStyleSheet } from '../../../../contract/domain/media-types.ts'
import type { ChangeOf } from '../../../../contract/domain/changes.ts'

/** Records stored style sheets, and the media files that they name. */
export function createStyleSheetWriter(db: Database) {
  const insert = db.prepare<[string]>('INSERT OR IGNORE INTO style_sheet (sha256) VALUES (?)')
  const insertFile = db.prepare<[string, string]>('INSERT OR IGNORE INTO media_file (sha256, name) VALUES (?, ?)')
  // It may be deleted by the time that its references are found.
  const read = db.prepare<[string]>(
    `INSERT INTO style_sheet (sha256, is_read) SELECT sha256, 1 FROM blob WHERE sha256 = ?
     ON CONFLICT (sha256) DO UPDATE SET is_read = 1`,
  )
  const insertReference = db.prepare<[string, string, string]>(
    'INSERT OR IGNORE INTO style_reference (sheet, hash_start, name) VALUES (?, ?, ?)',
  )

  const add = (sha256: Sha256): void => void insert.run(sha256)

  /** Adds a file that can be served by this name. */
  function addFile(sha256: Sha256, name: string): void {
    insertFile.run(sha256, name)
    if (isStyleSheet(name)) add(sha256)
  }

  return {
    add,
    addFile,
    addReferences({ sheets = [] }: ChangeOf<'references_found'>): void {
      for (const { sheet, references } of sheets) {
        if (read.run(sheet).changes === 0) continue
        for (const { hashStart, name, sha256 } of references) {
          insertReference.run(sheet, hashStart, name)
          if (sha256 !== undefined) addFile(sha256, name)
        }
      }
    },
  }
}

export type StyleSheetWriter = ReturnType<typeof createStyleSheetWriter>

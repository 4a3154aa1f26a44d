import { mayReferToFiles } from '@galley/wire'
import type { Sha256 } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import { referencesForm } from '../../records/media-references.ts'
import { createRowInserts } from './row-inserts.ts'

/** Whether an earlier Galley has read these references, which finds fewer. */
export const isEarlierForm = ({
  referencesForm: form = 1,
}: {
  readonly referencesForm?: number | undefined
}): boolean => form < referencesForm

/** Records stored style sheets and other files that name media files, and what they name. */
export function createStyleSheetWriter(db: Database) {
  const insert = db.prepare<[string]>('INSERT OR IGNORE INTO style_sheet (sha256) VALUES (?)')
  const insertFiles = createRowInserts(db, 'INSERT OR IGNORE INTO media_file (sha256, name)', 2)
  // It may be deleted by the time its references are found.
  const read = db.prepare<{ sheet: string; isRead: number }>(
    `INSERT INTO style_sheet (sha256, is_read) SELECT sha256, @isRead FROM blob WHERE sha256 = @sheet
     ON CONFLICT (sha256) DO UPDATE SET is_read = max(is_read, @isRead)`,
  )
  const insertReference = db.prepare<[string, string, string]>(
    'INSERT OR IGNORE INTO style_reference (sheet, hash_start, name) VALUES (?, ?, ?)',
  )

  const add = (sha256: Sha256): void => void insert.run(sha256)

  /** Adds files that can be served by these names. */
  function addFiles(files: readonly { readonly name: string; readonly sha256: Sha256 }[]): void {
    insertFiles(files, ({ sha256, name }) => [sha256, name])
    for (const { sha256, name } of files) if (mayReferToFiles(name)) add(sha256)
  }

  return {
    add,
    addFiles,
    addReferences({ sheets = [], ...found }: Omit<ChangeOf<'references_found'>, 'versions'>): void {
      for (const { sheet, references } of sheets) {
        if (read.run({ sheet, isRead: Number(!isEarlierForm(found)) }).changes === 0) continue
        for (const { hashStart, name } of references) insertReference.run(sheet, hashStart, name)
      }
    },
  }
}

export type StyleSheetWriter = ReturnType<typeof createStyleSheetWriter>

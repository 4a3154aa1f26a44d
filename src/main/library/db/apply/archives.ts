import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../../../contract/domain/changes.ts'
import type { Sha256 } from '../../../../contract/ids.ts'
import type { BlobWriter } from './blobs.ts'

/** Records which stored archives may contain credentials, and which archives replaced them. */
export function createArchiveWriter(db: Database, blobs: BlobWriter) {
  const insert = db.prepare<[string]>('INSERT OR IGNORE INTO unredacted_archive (sha256) VALUES (?)')
  const remove = db.prepare<[string]>('DELETE FROM unredacted_archive WHERE sha256 = ?')
  const replace = [
    db.prepare<[string, string]>('UPDATE version SET kept_sha256 = ? WHERE kept_sha256 = ?'),
    db.prepare<[string, string]>('UPDATE snapshot SET kept_sha256 = ? WHERE kept_sha256 = ?'),
  ]

  return {
    list(archives: readonly Sha256[]): void {
      for (const archive of archives) insert.run(archive)
    },
    redact({ rewritten, dropped, done }: ChangeOf<'archives_redacted'>): void {
      blobs.add(rewritten.map(({ kept }) => kept))
      for (const { archive, kept } of rewritten) for (const each of replace) each.run(kept.sha256, archive)
      blobs.drop(dropped)
      for (const archive of done) remove.run(archive)
    },
  }
}

import type { Sha256 } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { NewBlob } from '../../records/changes.ts'
import { createRowInserts } from './row-inserts.ts'

/** Records the library's blobs, their locations, and the files that it no longer needs. */
export function createBlobWriter(db: Database, positionNow: () => number) {
  const insert = createRowInserts(db, 'INSERT OR IGNORE INTO blob (sha256, size_bytes, pack, pack_at)', 4)
  const keep = db.prepare<[string]>('DELETE FROM dropped_file WHERE sha256 = ?')
  const move = db.prepare<[string | null, number, string]>('UPDATE blob SET pack = ?, pack_at = ? WHERE sha256 = ?')
  const fileOf = db.prepare<[string], { file: string }>(
    'SELECT coalesce(pack, sha256) AS file FROM blob WHERE sha256 = ?',
  )
  const remove = db.prepare<[string]>('DELETE FROM blob WHERE sha256 = ?')
  const drop = db.prepare<{ file: string }>(
    `INSERT OR IGNORE INTO dropped_file (sha256) SELECT @file
     WHERE NOT EXISTS (SELECT 1 FROM blob WHERE (sha256 = @file AND pack IS NULL) OR pack = @file)`,
  )

  const retire = db.prepare<[string, number]>(
    `INSERT INTO retired_file (sha256, position) VALUES (?, ?)
     ON CONFLICT (sha256) DO UPDATE SET position = excluded.position`,
  )

  const fileWith = ({ sha256, pack }: NewBlob): string => pack?.sha256 ?? sha256
  const files = (blobs: readonly Sha256[]): ReadonlySet<string> =>
    new Set(blobs.flatMap((sha256) => fileOf.get(sha256)?.file ?? []))
  const dropUnneeded = (candidates: ReadonlySet<string>): void => {
    for (const file of candidates) drop.run({ file })
  }

  return {
    /** Known blobs keep their location. A file that brought only such blobs is not needed. */
    add(blobs: readonly NewBlob[]): void {
      const known = insert(blobs, ({ sha256, sizeBytes, pack }) => [
        sha256,
        sizeBytes,
        pack?.sha256 ?? null,
        pack?.offset ?? 0,
      ])
      // A file that was needed once is needed again.
      for (const file of new Set(blobs.map(fileWith))) keep.run(file)
      dropUnneeded(new Set(known.map(fileWith)))
    },
    drop(blobs: readonly Sha256[]): void {
      const touched = files(blobs)
      for (const sha256 of blobs) remove.run(sha256)
      dropUnneeded(touched)
    },
    /** From now on nothing uses the objects of these files in a team's bucket. */
    retire(files: readonly Sha256[]): void {
      for (const file of files) retire.run(file, positionNow())
    },
    move(blobs: readonly NewBlob[]): void {
      const touched = files(blobs.map(({ sha256 }) => sha256))
      for (const { sha256, pack } of blobs) {
        move.run(pack?.sha256 ?? null, pack?.offset ?? 0, sha256)
        keep.run(pack?.sha256 ?? sha256)
      }
      dropUnneeded(touched)
    },
  }
}

export type BlobWriter = ReturnType<typeof createBlobWriter>

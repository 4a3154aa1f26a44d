import type { Database } from 'better-sqlite3'

import type { Sha256 } from '../../../../contract/ids.ts'
import type { NewBlob } from '../../../../contract/domain/changes.ts'

/** Records the library's blobs, their locations, and the files that it no longer needs. */
export function createBlobWriter(db: Database, positionNow: () => number) {
  const insert = db.prepare<[string, number, string | null, number]>(
    'INSERT OR IGNORE INTO blob (sha256, size_bytes, pack, pack_at) VALUES (?, ?, ?, ?)',
  )
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

  const files = (blobs: readonly Sha256[]): ReadonlySet<string> =>
    new Set(blobs.flatMap((sha256) => fileOf.get(sha256)?.file ?? []))
  const dropUnneeded = (candidates: ReadonlySet<string>): void => {
    for (const file of candidates) drop.run({ file })
  }

  return {
    /** Known blobs keep their location. A file that brought only such blobs is not needed. */
    add(blobs: readonly NewBlob[]): void {
      const again = new Set<string>()
      for (const { sha256, sizeBytes, pack } of blobs) {
        const file = pack?.sha256 ?? sha256
        const { changes } = insert.run(sha256, sizeBytes, pack?.sha256 ?? null, pack?.offset ?? 0)
        if (changes === 0) again.add(file)
        keep.run(file)
      }
      dropUnneeded(again)
    },
    drop(blobs: readonly Sha256[]): void {
      const touched = files(blobs)
      for (const sha256 of blobs) remove.run(sha256)
      dropUnneeded(touched)
    },
    /** From now on the objects that these files had in the bucket of a team are nobody's. */
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

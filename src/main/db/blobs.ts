import type { Database } from 'better-sqlite3'

import type { Sha256 } from '../../contract/ids.ts'

/** Where a blob lies: the whole of the file of its own name, or a slice of a pack. */
export interface BlobPlace {
  readonly file: Sha256
  readonly offset: number
  readonly sizeBytes: number
}

/** A blob that has reached the disk and may now be named. */
export interface NewBlob {
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly pack: { readonly sha256: Sha256; readonly offset: number } | null
}

interface BlobRow {
  sha256: string
  size_bytes: number
  pack: string | null
  pack_at: number
}

/** Which blobs the library has, and in which file each lies. */
export function createBlobs(db: Database) {
  const find = db.prepare<[string], BlobRow>('SELECT * FROM blob WHERE sha256 = ?')
  const insert = db.prepare<[string, number, string | null, number]>(
    'INSERT OR IGNORE INTO blob (sha256, size_bytes, pack, pack_at) VALUES (?, ?, ?, ?)',
  )
  const files = db.prepare<[], { file: string; size_bytes: number }>(
    `SELECT sha256 AS file, size_bytes FROM blob WHERE pack IS NULL
     UNION ALL SELECT pack, max(pack_at + size_bytes) FROM blob WHERE pack IS NOT NULL GROUP BY pack`,
  )
  const named = db.prepare<[string, string], { yes: number }>(
    'SELECT 1 AS yes FROM blob WHERE (sha256 = ? AND pack IS NULL) OR pack = ? LIMIT 1',
  )
  const inFile = db.prepare<[string, string], BlobRow>(
    'SELECT * FROM blob WHERE (sha256 = ? AND pack IS NULL) OR pack = ?',
  )
  const move = db.prepare<[string | null, number, string]>('UPDATE blob SET pack = ?, pack_at = ? WHERE sha256 = ?')
  return {
    find(sha256: Sha256): BlobPlace | null {
      const row = find.get(sha256)
      return row ? { file: (row.pack ?? row.sha256) as Sha256, offset: row.pack_at, sizeBytes: row.size_bytes } : null
    },
    /** Part of a larger transaction; a blob that is known keeps the place it has. */
    add(blobs: readonly NewBlob[]): void {
      for (const { sha256, sizeBytes, pack } of blobs) {
        insert.run(sha256, sizeBytes, pack?.sha256 ?? null, pack?.offset ?? 0)
      }
    },
    /** Every file that some blob lies in, with the size it has at least. */
    files: (): readonly { readonly file: Sha256; readonly sizeBytes: number }[] =>
      files.all().map((row) => ({ file: row.file as Sha256, sizeBytes: row.size_bytes })),
    /** The blobs that lie in a file, in the order in which they lie there. */
    inFile: (file: Sha256): readonly (BlobPlace & { readonly sha256: Sha256 })[] =>
      inFile
        .all(file, file)
        .map((row) => ({ sha256: row.sha256 as Sha256, file, offset: row.pack_at, sizeBytes: row.size_bytes }))
        .toSorted((one, other) => one.offset - other.offset),
    /** Names another place for blobs whose bytes have reached the disk there; all of them or none. */
    move: (blobs: readonly NewBlob[]): void =>
      db
        .transaction(() => {
          for (const { sha256, pack } of blobs) move.run(pack?.sha256 ?? null, pack?.offset ?? 0, sha256)
        })
        .immediate(),
    /** Whether some blob lies in this file. */
    namesFile: (file: Sha256): boolean => named.get(file, file) !== undefined,
  }
}

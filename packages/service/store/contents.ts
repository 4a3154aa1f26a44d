import type { Database } from 'better-sqlite3'

import type { StoredFile } from '../archives/stored-files.ts'

/** Small enough to be read and sent quickly, large enough that a typical save is one row. */
const chunkBytes = 256 * 1024

/** A range of stored bytes. */
export interface StoredBytes {
  readonly contentId: number
  readonly start: number
  readonly sizeBytes: number
}

/**
 * Large values in chunks. SQLite reads a BLOB only as a whole; with chunks, sending a 200 MB archive takes a quarter of a
 * megabyte of memory. Triggers delete a content with its version, snapshot or restored file.
 */
export interface Contents {
  /** Creates an empty content. */
  readonly begin: () => number
  readonly append: (contentId: number, bytes: Buffer) => void
  readonly add: (archive: Buffer, files: readonly StoredFile[]) => number
  readonly remove: (contentId: number) => void
  /** The whole content, or null when it was deleted. */
  readonly whole: (contentId: number) => StoredBytes | null
  /** One file inside an archive. */
  readonly file: (contentId: number, name: string) => StoredBytes | null
  /** Names of the files in a folder of an archive, without the folder. */
  readonly fileNames: (contentId: number, folder: string) => readonly string[]
  /** The bytes in chunks; ends early when the content is deleted in the meantime. */
  readonly read: (bytes: StoredBytes) => Iterable<Buffer>
  readonly readWhole: (bytes: StoredBytes) => Buffer
}

interface ChunkRow {
  readonly start: number
  readonly bytes: Buffer
}

export function createContents(db: Database): Contents {
  const begin = db.prepare<[number]>('INSERT INTO content (size_bytes) VALUES (?)')
  const size = db.prepare<[number], { size_bytes: number }>('SELECT size_bytes FROM content WHERE content_id = ?')
  const grow = db.prepare<[number, number]>('UPDATE content SET size_bytes = ? WHERE content_id = ?')
  const addChunk = db.prepare<[number, number, Buffer]>('INSERT INTO chunk (content_id, start, bytes) VALUES (?, ?, ?)')
  const addFile = db.prepare<[number, string, number, number]>(
    'INSERT INTO stored_file (content_id, name, start, size_bytes) VALUES (?, ?, ?, ?)',
  )
  const remove = db.prepare<[number]>('DELETE FROM content WHERE content_id = ?')
  const file = db.prepare<[number, string], StoredBytes>(
    `SELECT content_id AS contentId, start, size_bytes AS sizeBytes FROM stored_file WHERE content_id = ? AND name = ?`,
  )
  const fileNames = db.prepare<[number], { name: string }>('SELECT name FROM stored_file WHERE content_id = ?')
  const chunkAt = db.prepare<[number, number], ChunkRow>(
    'SELECT start, bytes FROM chunk WHERE content_id = ? AND start <= ? ORDER BY start DESC LIMIT 1',
  )

  function* read({ contentId, start, sizeBytes }: StoredBytes): Generator<Buffer> {
    const end = start + sizeBytes
    for (let at = start; at < end;) {
      const chunk = chunkAt.get(contentId, at)
      const piece = chunk?.bytes.subarray(at - chunk.start, end - chunk.start)
      if (piece === undefined || piece.length === 0) return
      yield piece
      at += piece.length
    }
  }

  function addChunks(contentId: number, start: number, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      addChunk.run(contentId, start + at, bytes.subarray(at, at + chunkBytes))
  }

  const beginOf = (sizeBytes: number): number => Number(begin.run(sizeBytes).lastInsertRowid)

  return {
    begin: () => beginOf(0),
    append: db.transaction((contentId: number, bytes: Buffer) => {
      const before = size.get(contentId)?.size_bytes ?? 0
      addChunks(contentId, before, bytes)
      grow.run(before + bytes.length, contentId)
    }),
    add: db.transaction((archive: Buffer, files: readonly StoredFile[]) => {
      const contentId = beginOf(archive.length)
      addChunks(contentId, 0, archive)
      for (const { name, start, sizeBytes } of files) addFile.run(contentId, name, start, sizeBytes)
      return contentId
    }),
    remove: (contentId) => void remove.run(contentId),
    whole(contentId) {
      const row = size.get(contentId)
      return row === undefined ? null : { contentId, start: 0, sizeBytes: row.size_bytes }
    },
    file: (contentId, name) => file.get(contentId, name) ?? null,
    fileNames: (contentId, folder) =>
      fileNames.all(contentId).flatMap(({ name }) => (name.startsWith(folder) ? [name.slice(folder.length)] : [])),
    read,
    readWhole(bytes) {
      const [first = Buffer.alloc(0), ...more] = read(bytes)
      return more.length === 0 ? first : Buffer.concat([first, ...more])
    },
  }
}

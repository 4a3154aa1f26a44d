import type { FileSlice } from '@galley/platform'
import type { Sha256, SiteId } from '@galley/wire'
import { archiveLimits } from '@galley/wire'

import type { NewBlob } from '../../records/changes.ts'
import type { FileKey, FileObject } from '../../team/keys.ts'
import { fileKey } from '../../team/keys.ts'
import type { Commit } from '../commit/commit.ts'
import type { ReadHandle } from '../database/read-handle.ts'

interface BlobRow {
  sha256: Sha256
  size_bytes: number
  pack: Sha256 | null
  pack_at: number
}

/**
 * The state of an object in the bucket of a team, according to the log. `unneeded`: no entry references its file, which may
 * be stored again under this key until the object is retired. `retired`: no entry will ever reference it again. `unknown`:
 * only a later log can tell.
 */
type ObjectState = 'referenced' | 'unneeded' | 'retired' | 'unknown'

/** Which blobs the library has, and in which file each is. */
export function createBlobs(db: ReadHandle, commit: Commit) {
  const find = db.prepare<[string], BlobRow>('SELECT * FROM blob WHERE sha256 = ?')
  const files = filesOfBlobs(db)
  const findReference = db.prepare<[string, string], { yes: number }>(
    'SELECT 1 AS yes FROM blob WHERE (sha256 = ? AND pack IS NULL) OR pack = ? LIMIT 1',
  )
  const inFile = db.prepare<[string, string], BlobRow>(
    'SELECT * FROM blob WHERE (sha256 = ? AND pack IS NULL) OR pack = ?',
  )
  const ofSite = db.prepare<{ site: SiteId }, { file: Sha256 }>(
    `WITH RECURSIVE own AS (SELECT v.* FROM version v JOIN material m ON m.id = v.material WHERE m.site = @site),
       fonts AS (SELECT * FROM snapshot WHERE site = @site), needed (sha256) AS (
       SELECT html_sha256 FROM own UNION SELECT state_sha256 FROM own UNION SELECT kept_sha256 FROM own
       UNION SELECT f.sha256 FROM own v JOIN media f ON f.version = v.id
       UNION SELECT e.sha256 FROM own v JOIN media_reference r ON r.version = v.id
         JOIN blob e ON e.sha256 >= r.hash_start AND e.sha256 < r.hash_start || 'g'
       UNION SELECT css_sha256 FROM fonts UNION SELECT tree_sha256 FROM fonts UNION SELECT answer_sha256 FROM fonts
       UNION SELECT kept_sha256 FROM fonts
       UNION SELECT f.sha256 FROM fonts s JOIN font_file f ON f.snapshot = s.id
       UNION SELECT e.sha256 FROM needed n CROSS JOIN style_reference r ON r.sheet = n.sha256
         CROSS JOIN blob e ON e.sha256 >= r.hash_start AND e.sha256 < r.hash_start || 'g')
     SELECT DISTINCT coalesce(b.pack, b.sha256) AS file FROM needed n CROSS JOIN blob b ON b.sha256 = n.sha256`,
  )
  const dropped = db.prepare<[], { sha256: Sha256 }>('SELECT sha256 FROM dropped_file')
  const wasDropped = db.prepare<[string], { yes: number }>('SELECT 1 AS yes FROM dropped_file WHERE sha256 = ?')
  const retiredAt = db.prepare<[string], number>('SELECT position FROM retired_file WHERE sha256 = ?').pluck()
  const isReferenced = (file: Sha256): boolean => findReference.get(file, file) !== undefined
  function stateOf({ file, droppedAt }: FileObject): ObjectState {
    const last = retiredAt.get(file) ?? 0
    if (droppedAt !== last) return droppedAt < last ? 'retired' : 'unknown'
    return isReferenced(file) ? 'referenced' : 'unneeded'
  }
  /** Blobs in entries of the log that the index has not applied yet. */
  const ahead = new Map<Sha256, FileSlice>()
  return {
    find(sha256: Sha256): FileSlice | null {
      const row = find.get(sha256)
      if (!commit.isAhead()) ahead.clear()
      if (!row) return ahead.get(sha256) ?? null
      return { file: row.pack ?? row.sha256, offset: row.pack_at, sizeBytes: row.size_bytes }
    },
    /** Remembers blobs that the log already contains, until the index has caught up. */
    remember(blobs: readonly NewBlob[]): void {
      for (const { sha256, sizeBytes, pack } of blobs)
        ahead.set(sha256, { file: pack?.sha256 ?? sha256, offset: pack?.offset ?? 0, sizeBytes })
    },
    files,
    /** The files that versions and font sets of a site need. */
    filesOfSite: (site: SiteId): ReadonlySet<Sha256> => new Set(ofSite.all({ site }).map(({ file }) => file)),
    /** The blobs in a file, ordered by offset. */
    inFile: (file: Sha256): readonly (FileSlice & { readonly sha256: Sha256 })[] =>
      inFile
        .all(file, file)
        .map((row) => ({ sha256: row.sha256, file, offset: row.pack_at, sizeBytes: row.size_bytes }))
        .toSorted((one, other) => one.offset - other.offset),
    /** Changes the location of blobs. Their bytes must already be on disk there. */
    move: (blobs: readonly NewBlob[]): void => commit.now(() => [{ kind: 'blobs_moved', blobs: [...blobs] }]),
    /** Files that are no longer used and may be deleted. */
    dropped: (): readonly Sha256[] => dropped.all().map(({ sha256 }) => sha256),
    wasDropped: (file: Sha256): boolean => wasDropped.get(file) !== undefined,
    /** The largest possible size of a file. A pack may contain blobs that the index no longer knows, but only of one archive. */
    maxBytesOf(file: Sha256): number {
      const row = find.get(file)
      return row?.pack === null ? row.size_bytes : archiveLimits.unpackedBytes
    },
    /** Whether the file contains a blob. */
    isReferenced,
    /** The key of a file's object in the bucket of a team. */
    keyOf: (file: Sha256): FileKey => fileKey(file, retiredAt.get(file) ?? 0),
    stateOf,
    /** Retires those of these objects that nothing references when this is decided. */
    retire: (objects: readonly FileObject[]): void =>
      commit.now(() => {
        const files = objects.flatMap((object) => (stateOf(object) === 'unneeded' ? [object.file] : []))
        return files.length === 0 ? [] : [{ kind: 'files_dropped', files }]
      }),
  }
}

export type Blobs = ReturnType<typeof createBlobs>

/** Every file that contains a blob, with its minimum size. */
export function filesOfBlobs(db: ReadHandle) {
  const files = db.prepare<[], { file: Sha256; sizeBytes: number }>(
    `SELECT sha256 AS file, size_bytes AS sizeBytes FROM blob WHERE pack IS NULL
     UNION ALL SELECT pack, max(pack_at + size_bytes) FROM blob WHERE pack IS NOT NULL GROUP BY pack`,
  )
  return (): readonly { readonly file: Sha256; readonly sizeBytes: number }[] => files.all()
}

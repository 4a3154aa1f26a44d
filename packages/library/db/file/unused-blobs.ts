import type { Sha256 } from '@galley/wire'

import type { Commit } from '../commit/commit.ts'
import type { ReadHandle } from '../database/read-handle.ts'

/** A range of the blobs, ordered by hash. */
export interface BlobRange {
  readonly unused: readonly Sha256[]
  /** The start of the next range, or null at the end. */
  readonly next: string | null
}

/** Takes a few milliseconds. */
const batchRows = 500

const isFew = (table: string): boolean => table === 'snapshot' || table === 'site_setting'

/**
 * Unused blobs. The tables that use blobs are read from the schema (all foreign keys to `blob` without ON DELETE CASCADE),
 * so new tables need no change here.
 */
export function createUnusedBlobs(db: ReadHandle, commit: Commit) {
  const references = db
    .prepare<[], { table: string; column: string }>(
      `SELECT s.name AS "table", k."from" AS "column" FROM sqlite_schema s JOIN pragma_foreign_key_list(s.name) k
       WHERE s.type = 'table' AND k."table" = 'blob' AND k.on_delete = 'NO ACTION'`,
    )
    .all()
    // Sites and font sets are few and not indexed by blob, so they are checked last, and only for blobs that nothing else uses.
    .toSorted((one, other) => Number(isFew(one.table)) - Number(isFew(other.table)))
  const isReferenced = (blob: string): readonly string[] =>
    ['media_reference', 'style_reference'].map(
      (table) => `EXISTS (SELECT 1 FROM ${table} WHERE hash_start = substr(${blob}, 1, 32))`,
    )
  // A style sheet that was not read yet may reference any media file.
  const mayBeReferenced = (blob: string): string =>
    `EXISTS (SELECT 1 FROM style_sheet WHERE is_read = 0) AND EXISTS (SELECT 1 FROM media_file WHERE sha256 = ${blob})`
  const needed = (blob: string): string =>
    [
      ...references.map(({ table, column }) => `EXISTS (SELECT 1 FROM ${table} WHERE ${column} = ${blob})`),
      ...isReferenced(blob),
      mayBeReferenced(blob),
    ].join(' OR ')
  const range = db.prepare<{ after: string; length: number }, { sha256: Sha256; unused: number }>(
    `SELECT b.sha256, NOT (${needed('b.sha256')}) AS unused
     FROM (SELECT sha256 FROM blob WHERE sha256 > @after ORDER BY sha256 LIMIT @length) b`,
  )
  const isUnused = db.prepare<{ blob: string }, { yes: number }>(`SELECT 1 AS yes WHERE NOT (${needed('@blob')})`)
  const count = db.prepare<{ blob: string }, { count: number }>(
    `SELECT ${references
      .map(({ table, column }) => `(SELECT count(*) FROM ${table} WHERE ${column} = @blob)`)
      .join(' + ')} + (SELECT count(*) FROM media_reference WHERE hash_start = substr(@blob, 1, 32))
       + (SELECT count(*) FROM style_reference WHERE hash_start = substr(@blob, 1, 32)) + (${mayBeReferenced('@blob')}) AS count`,
  )
  const referencedBy = db
    .prepare<[string], Sha256>(
      `SELECT b.sha256 FROM style_reference r JOIN blob b ON b.sha256 >= r.hash_start AND b.sha256 < r.hash_start || 'g'
       WHERE r.sheet = ?`,
    )
    .pluck()
  return {
    /** `after` is '' for the first range. */
    range(after: string): BlobRange {
      const rows = range.all({ after, length: batchRows })
      return {
        unused: rows.filter(({ unused }) => unused === 1).map(({ sha256 }) => sha256),
        next: rows.length < batchRows ? null : (rows.at(-1)?.sha256 ?? null),
      }
    },
    /** Removes blobs from the library, except those that are used again. */
    drop(blobs: readonly Sha256[]): void {
      commit.now(() => {
        const unused = blobs.filter((blob) => isUnused.get({ blob }) !== undefined)
        return unused.length === 0 ? [] : [{ kind: 'blobs_dropped', blobs: unused }]
      })
    },
    /** How many rows use a blob, or may use it. */
    needs: (blob: Sha256): number => count.get({ blob })?.count ?? 0,
    /** The blobs that a style sheet uses, one for each use; none for other blobs. */
    referencedBy: (sheet: Sha256): readonly Sha256[] => referencedBy.all(sheet),
  }
}

export type UnusedBlobs = ReturnType<typeof createUnusedBlobs>

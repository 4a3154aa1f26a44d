import type { ReadHandle } from './database/read-handle.ts'

import type { Sha256 } from '../../../contract/ids.ts'
import type { Commit } from './commit.ts'

/** A stretch of the blobs, in the order of their hashes. */
export interface BlobStretch {
  readonly loose: readonly Sha256[]
  /** Where the next stretch begins, or null at the end. */
  readonly next: string | null
}

/** Some milliseconds of work. */
const stretchLength = 500

/**
 * Blobs that nothing needs. Which tables need blobs is read from the schema: every foreign key to `blob` without ON DELETE
 * CASCADE. So a table that is added later counts without a change here.
 */
export function createLooseBlobs(db: ReadHandle, commit: Commit) {
  const references = db
    .prepare<[], { table: string; column: string }>(
      `SELECT s.name AS "table", k."from" AS "column" FROM sqlite_schema s JOIN pragma_foreign_key_list(s.name) k
       WHERE s.type = 'table' AND k."table" = 'blob' AND k.on_delete = 'NO ACTION'`,
    )
    .all()
    // Font sets are few and their columns have no index: asked last, and so only of what nothing else needs.
    .toSorted((one, other) => Number(one.table === 'snapshot') - Number(other.table === 'snapshot'))
  const namedByPage = (blob: string): string =>
    `EXISTS (SELECT 1 FROM media_reference WHERE hash_start = substr(${blob}, 1, 32))`
  const needed = (blob: string): string =>
    [
      ...references.map(({ table, column }) => `EXISTS (SELECT 1 FROM ${table} WHERE ${column} = ${blob})`),
      namedByPage(blob),
    ].join(' OR ')
  const stretch = db.prepare<{ after: string; length: number }, { sha256: string; loose: number }>(
    `SELECT b.sha256, NOT (${needed('b.sha256')}) AS loose
     FROM (SELECT sha256 FROM blob WHERE sha256 > @after ORDER BY sha256 LIMIT @length) b`,
  )
  const isLoose = db.prepare<{ blob: string }, { yes: number }>(`SELECT 1 AS yes WHERE NOT (${needed('@blob')})`)
  const count = db.prepare<{ blob: string }, { count: number }>(
    `SELECT ${references
      .map(({ table, column }) => `(SELECT count(*) FROM ${table} WHERE ${column} = @blob)`)
      .join(' + ')} + (SELECT count(*) FROM media_reference WHERE hash_start = substr(@blob, 1, 32)) AS count`,
  )
  return {
    /** `after` is '' at the beginning. */
    stretch(after: string): BlobStretch {
      const rows = stretch.all({ after, length: stretchLength })
      return {
        loose: rows.filter(({ loose }) => loose === 1).map(({ sha256 }) => sha256 as Sha256),
        next: rows.length < stretchLength ? null : (rows.at(-1)?.sha256 ?? null),
      }
    },
    /** Takes blobs out of the library, except those that are needed again by now. */
    drop(blobs: readonly Sha256[]): void {
      commit.now(() => {
        const loose = blobs.filter((blob) => isLoose.get({ blob }) !== undefined)
        return loose.length === 0 ? [] : [{ kind: 'blobs_dropped', blobs: loose }]
      })
    },
    /** How many rows need a blob. */
    needs: (blob: Sha256): number => count.get({ blob })?.count ?? 0,
  }
}

export type LooseBlobs = ReturnType<typeof createLooseBlobs>

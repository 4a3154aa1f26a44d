import type { Sha256 } from '@galley/wire'

import type { ChangeOf, MediaReference, VersionName } from '../../records/changes.ts'
import { mayBeSameFile, referencesForm } from '../../records/media-references.ts'
import type { Commit } from '../commit/commit.ts'
import type { ReadHandle } from '../database/read-handle.ts'

/** A version whose texts are searched for references to files of earlier saves. */
export interface ReferringVersion extends VersionName {
  readonly row: number
  readonly html: Sha256
  readonly state: Sha256
}

/** A stored style sheet, or another file that may contain references. */
export interface ReferringSheet {
  readonly sheet: Sha256
}

/** Versions per batch when scanning the whole library: a few milliseconds of work. */
const batchRows = 500

const columns = `v.id AS row, m.site, m.material_id AS materialId, v.version_id AS versionId, v.html_sha256 AS html,
  v.state_sha256 AS state`

/** Which files of earlier saves versions name by their public URL. */
export function createReferences(db: ReadHandle, commit: Commit) {
  const unread = db.prepare<[number, number], ReferringVersion>(
    `SELECT ${columns} FROM unread_version u JOIN version v ON v.id = u.version JOIN material m ON m.id = v.material
     WHERE u.version > ? ORDER BY u.version LIMIT ?`,
  )
  const media = db.prepare<[number], MediaReference>(
    'SELECT substr(sha256, 1, 32) AS hashStart, name FROM media WHERE version = ?',
  )
  // Like `mayBeSameFile`.
  const hasNoFile = `NOT EXISTS (SELECT 1 FROM media_file f
    WHERE f.sha256 >= r.hash_start AND f.sha256 < r.hash_start || 'g'
      AND (substr(r.name, 1, length(f.name)) = f.name OR substr(f.name, 1, length(r.name)) = r.name))`
  const range = db.prepare<{ after: number; length: number }, ReferringVersion & { isBroken: number }>(
    `SELECT ${columns}, EXISTS (SELECT 1 FROM media_reference r WHERE r.version = v.id AND ${hasNoFile}) AS isBroken
     FROM version v JOIN material m ON m.id = v.material WHERE v.id > @after ORDER BY v.id LIMIT @length`,
  )
  const broken = db.prepare<[number], MediaReference>(
    `SELECT r.hash_start AS hashStart, r.name FROM media_reference r WHERE r.version = ? AND ${hasNoFile}`,
  )
  const isRead = db.prepare<[string], { yes: number }>(
    'SELECT 1 AS yes FROM style_sheet WHERE sha256 = ? AND is_read = 1',
  )
  const isMissing = db.prepare<MediaReference, { yes: number }>(
    `SELECT 1 AS yes FROM (SELECT @hashStart AS hash_start, @name AS name) r WHERE ${hasNoFile}`,
  )
  const unreadSheets = db.prepare<[string, number], ReferringSheet>(
    'SELECT sha256 AS sheet FROM style_sheet WHERE is_read = 0 AND sha256 > ? ORDER BY sha256 LIMIT ?',
  )
  const brokenSheets = db.prepare<[], ReferringSheet>(
    `SELECT s.sha256 AS sheet FROM style_sheet s
     WHERE EXISTS (SELECT 1 FROM style_reference r WHERE r.sheet = s.sha256 AND ${hasNoFile}) ORDER BY s.sha256`,
  )
  const brokenInSheet = db.prepare<[string], MediaReference>(
    `SELECT r.hash_start AS hashStart, r.name FROM style_reference r WHERE r.sheet = ? AND ${hasNoFile}`,
  )
  const sheetCount = db.prepare<[], number>('SELECT count(*) FROM style_sheet').pluck()
  return {
    /** Versions after this row whose references were not read yet, with their own media, which are not references. */
    unread: (
      after: number,
      limit: number,
    ): readonly (ReferringVersion & { readonly media: readonly MediaReference[] })[] =>
      unread.all(after, limit).map((version) => ({ ...version, media: media.all(version.row) })),
    /** Style sheets after this one that were not read yet. */
    unreadSheets: (after: string, limit: number): readonly ReferringSheet[] => unreadSheets.all(after, limit),
    record: (found: Pick<ChangeOf<'references_found'>, 'versions' | 'sheets'>): void =>
      commit.now(() => [{ kind: 'references_found', ...found, referencesForm }]),
    /** The next versions after this row with broken references, and where to continue. */
    range(after: number): { readonly broken: readonly ReferringVersion[]; readonly next: number | null } {
      const rows = range.all({ after, length: batchRows })
      const next = rows.length < batchRows ? null : (rows.at(-1)?.row ?? null)
      return { broken: rows.filter(({ isBroken }) => isBroken === 1), next }
    },
    /** A version's references that the library cannot resolve: its own missing files, and similar URLs of other sites. */
    brokenOf: (row: number): readonly MediaReference[] => broken.all(row),
    /** Whether the references of this file are unknown, or were found by an earlier Galley. */
    isUnread: (sheet: Sha256): boolean => isRead.get(sheet) === undefined,
    /** Those of these references that the library cannot resolve, each file once. */
    missing: (named: readonly MediaReference[]): readonly MediaReference[] =>
      named
        .filter((each) => isMissing.get(each) !== undefined)
        .filter((each, at, all) => all.findIndex((other) => mayBeSameFile(each, other)) === at),
    sheetCount: (): number => sheetCount.get() ?? 0,
    /** The style sheets with such references. */
    brokenSheets: (): readonly ReferringSheet[] => brokenSheets.all(),
    brokenInSheet: (sheet: Sha256): readonly MediaReference[] => brokenInSheet.all(sheet),
  }
}

export type References = ReturnType<typeof createReferences>

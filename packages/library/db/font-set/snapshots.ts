import type { Sha256, SiteId, SnapshotId } from '@galley/wire'
import { encodeSegment, fontsCssName, fontsPath, readFontUrl } from '@galley/wire'

import type { Remark } from '../../records/remark.ts'
import type { SnapshotRow } from '../../views/fonts.ts'
import { fieldValues } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { SnapshotSummary } from './snapshot.ts'

/** A row of the table `snapshot`, as far as lists read it. */
interface SnapshotColumns {
  id: number
  site: SiteId
  snapshot_id: SnapshotId
  received_at: string
  css_sha256: Sha256
  tree_sha256: Sha256 | null
  answer_sha256: Sha256 | null
  archive_sha256: Sha256
  kept_sha256: Sha256
  public_base: string
}

/** A font file or the CSS of a snapshot, with its public URL. */
export interface FontFile {
  readonly name: string
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly url: string
}

/** The blobs of a snapshot that are not font files. */
export interface SnapshotParts {
  readonly css: Sha256
  readonly tree: Sha256 | null
  readonly answer: Sha256 | null
  readonly kept: Sha256
}

/** The stored font sets of all sites; the last to arrive is the current one. */
export function createSnapshots(db: ReadHandle) {
  const bySite = db.prepare<[string], SnapshotColumns>('SELECT * FROM snapshot WHERE site = ? ORDER BY id DESC')
  const one = db.prepare<[string, string], SnapshotColumns>('SELECT * FROM snapshot WHERE site = ? AND snapshot_id = ?')
  const newest = db.prepare<[string], SnapshotColumns>('SELECT * FROM snapshot WHERE site = ? ORDER BY id DESC LIMIT 1')
  const filesOf = db.prepare<[number], { name: string; sha256: Sha256; size_bytes: number }>(
    'SELECT name, sha256, size_bytes FROM font_file WHERE snapshot = ? ORDER BY name',
  )
  const sizeOf = db.prepare<[Sha256], { size_bytes: number }>('SELECT size_bytes FROM blob WHERE sha256 = ?')
  const count = db.prepare<[string], { count: number }>('SELECT count(*) AS count FROM snapshot WHERE site = ?')

  const listed = db.prepare<[string], SnapshotColumns & { file_count: number; file_bytes: number }>(
    `SELECT s.*, (SELECT count(*) FROM font_file WHERE snapshot = s.id) AS file_count,
       (SELECT coalesce(sum(size_bytes), 0) FROM font_file WHERE snapshot = s.id) AS file_bytes
     FROM snapshot s WHERE s.site = ? ORDER BY s.id DESC`,
  )
  const warnings = db.prepare<[string, string], { warnings: string }>(
    'SELECT warnings FROM snapshot WHERE site = ? AND snapshot_id = ?',
  )

  const folderUrl = (row: SnapshotColumns): string => row.public_base + fontsPath(row.site, row.snapshot_id)

  const files = (row: SnapshotColumns): readonly FontFile[] =>
    filesOf.all(row.id).map(({ name, sha256, size_bytes: sizeBytes }) => ({
      name,
      sha256,
      sizeBytes,
      url: folderUrl(row) + encodeSegment(name),
    }))

  const toParts = (row: SnapshotColumns): SnapshotParts => ({
    css: row.css_sha256,
    tree: row.tree_sha256,
    answer: row.answer_sha256,
    kept: row.kept_sha256,
  })

  const toSummary = (row: SnapshotColumns): SnapshotSummary => ({
    ...fieldValues('fontSet', row),
    site: row.site,
    snapshotId: row.snapshot_id,
    receivedAt: row.received_at,
    files: files(row).map(({ name }) => name),
    cssUrl: folderUrl(row) + fontsCssName,
    archiveSha256: row.archive_sha256,
  })

  return {
    list: (site: SiteId): readonly SnapshotSummary[] => bySite.all(site).map(toSummary),
    find(site: SiteId, snapshotId: SnapshotId): (SnapshotParts & { files: readonly FontFile[] }) | null {
      const row = one.get(site, snapshotId)
      return row ? { ...toParts(row), files: files(row) } : null
    },
    /** The font file or CSS of any snapshot of the site that is public at this URL, for any base URL. */
    fileAt(site: SiteId, url: string): FontFile | null {
      const named = readFontUrl(url)
      const row = named?.site === site ? one.get(site, named.snapshot) : undefined
      if (!row || named === null) return null
      const file = files(row).find(({ name }) => name === named.name)
      if (file) return { ...file, url }
      const css = named.name === fontsCssName ? sizeOf.get(row.css_sha256) : undefined
      return css ? { name: fontsCssName, sha256: row.css_sha256, sizeBytes: css.size_bytes, url } : null
    },
    /** The archive of a stored snapshot; null if it is not stored. */
    archiveOf: (site: SiteId, snapshotId: SnapshotId): Sha256 | null =>
      one.get(site, snapshotId)?.archive_sha256 ?? null,
    /** The current snapshot of a site. */
    newest(site: SiteId): (SnapshotSummary & SnapshotParts & { fontFiles: readonly FontFile[] }) | null {
      const row = newest.get(site)
      return row ? { ...toSummary(row), ...toParts(row), fontFiles: files(row) } : null
    },
    /** The rows for the window, newest first. */
    rows: (site: SiteId): readonly SnapshotRow[] =>
      listed.all(site).map(({ file_count, file_bytes, ...row }, at) => ({
        ...fieldValues('fontSet', row),
        site: row.site,
        snapshotId: row.snapshot_id,
        receivedAt: row.received_at,
        current: at === 0,
        files: file_count,
        bytes: file_bytes,
        cssUrl: folderUrl(row) + fontsCssName,
      })),
    warnings: (site: SiteId, snapshotId: SnapshotId): readonly Remark[] =>
      JSON.parse(warnings.get(site, snapshotId)?.warnings ?? '[]') as Remark[],
    count: (site: SiteId): number => count.get(site)?.count ?? 0,
  }
}

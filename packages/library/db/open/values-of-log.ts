import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'
import { z } from 'zod'

import { ranges } from '../../records/changes.ts'
import { anchor } from '../../records/comment.ts'
import { exportReport, exportRequest } from '../../records/export-record.ts'
import type { RecordKind } from '../../records/fields.ts'
import { fields } from '../../records/fields.ts'
import {
  count,
  idText,
  jsonObject,
  longText,
  materialId,
  moment,
  sha256,
  siteId,
  tag,
  text,
} from '../../records/logged-values.ts'
import { pageFields, redirectsAtMost } from '../../records/site-model-fields.ts'
import { targetSettings } from '../../records/target.ts'
import { columnsOf } from '../database/field-columns.ts'
import { fromReleaseRow } from '../database/release-row.ts'
import { fromSiteRow } from '../database/site-row.ts'

// Another computer has written a checkpoint: its rows are checked like entries of the log. SQLite checks the types of columns,
// `CHECK` and foreign keys; here are the ranges of the values, table by table.

/** JSON text of a value. */
const json = (type: z.ZodType) =>
  z
    .string()
    .transform((written): unknown => JSON.parse(written))
    .pipe(type)

/** Whether a row fits as the record that it is read as. */
const fitsAs =
  <Row>(read: (row: Row) => unknown, type: z.ZodType) =>
  (row: unknown): boolean =>
    // Types meet the file: the columns are those of the schema, and the record is checked.
    type.safeParse(read(row as Row)).success

/** The columns of the fields that people set; null: the initial value. */
const fieldColumns = (record: RecordKind): Record<string, z.ZodType> =>
  Object.fromEntries(
    columnsOf(record).map(([column, , { stored, type }]) => [
      column,
      (stored === 'flag' ? z.literal([0, 1]) : stored === 'json' ? json(type) : type).nullable(),
    ]),
  )

const { callbackId, publicBase, targetName, version, snapshot, delivery, release, comment } = ranges
const named = z.object({ name: ranges.namedBlob.shape.name, sha256, size_bytes: count })
const reference = { hash_start: ranges.mediaReference.shape.hashStart, name: ranges.mediaReference.shape.name }

/**
 * The columns of each table whose values another computer decides; for some, as the record that they are read as. Null: only the
 * rows that it refers to.
 */
const tables: Readonly<Record<string, z.ZodType | null>> = {
  site: z.looseObject({ owner: z.uuid(), removed_at: moment.nullable() }).refine(fitsAs(fromSiteRow, ranges.site)),
  public_base: z.object({ site: siteId, base: publicBase }),
  site_setting: z.object({ site: siteId.or(z.literal('')), ...fieldColumns('site') }),
  material: z.object({
    site: siteId,
    material_id: materialId,
    session_id: text.nullable(),
    fingerprint: text.nullable(),
    editor_url: text.nullable(),
    last_access: moment.nullable(),
    opened_callback_url: text.nullable(),
    sent_metadata: jsonObject.nullable(),
    ...fieldColumns('material'),
  }),
  material_tag: z.object({ site: siteId, tag }),
  page: z.object({ site: siteId, ...fieldColumns('page') }),
  page_redirect: z.object({
    site: siteId,
    path: z
      .string()
      .transform((path) => [path])
      .pipe(pageFields.redirectsFrom.type),
  }),
  tag_folder: ranges.tagFolder.extend({ site: siteId }),
  version: z.object({
    version_id: version.shape.versionId,
    version_cdate: version.shape.versionCdate,
    received_at: version.shape.receivedAt,
    user_email: version.shape.userEmail,
    html_sha256: version.shape.html,
    state_sha256: version.shape.state,
    metadata: version.shape.metadata,
    archive_sha256: version.shape.archiveSha256,
    kept_sha256: version.shape.keptSha256,
    size_bytes: version.shape.sizeBytes,
    public_base: publicBase,
    warnings: json(version.shape.warnings),
    heading: version.shape.title,
    ...fieldColumns('version'),
  }),
  decision: z.object({ verdict: json(fields.version.verdict.type) }),
  comment: z.object({
    comment_id: comment.shape.id,
    anchor: json(anchor).nullable(),
    text: comment.shape.text,
    author: comment.shape.by,
    at: moment,
    resolved_by: comment.shape.by.nullable(),
    resolved_at: moment.nullable(),
  }),
  media: named,
  media_file: z.object({ sha256, name: reference.name }),
  media_reference: z.object(reference),
  style_sheet: z.object({ sha256 }),
  style_reference: z.object({ sheet: sha256, ...reference }),
  snapshot: z.object({
    site: siteId,
    snapshot_id: snapshot.shape.snapshotId,
    received_at: snapshot.shape.receivedAt,
    css_sha256: snapshot.shape.css,
    tree_sha256: snapshot.shape.tree,
    answer_sha256: snapshot.shape.answer,
    archive_sha256: snapshot.shape.archiveSha256,
    kept_sha256: snapshot.shape.keptSha256,
    public_base: publicBase,
    warnings: json(snapshot.shape.warnings),
    ...fieldColumns('fontSet'),
  }),
  font_file: named,
  blob: z.object({ sha256, size_bytes: count, pack: sha256.nullable(), pack_at: count }),
  dropped_file: z.object({ sha256 }),
  retired_file: z.object({ sha256 }),
  delivery: z.object({
    callback: callbackId,
    site: siteId,
    kind: z.enum(['article_saved', 'site_fonts_updated']),
    material_id: delivery.shape.materialId,
    content_url: delivery.shape.contentUrl,
    version_id: idText,
    payload: longText.nullable(),
  }),
  export: z.object({ id: idText, site: siteId, at: moment, request: json(exportRequest), report: json(exportReport) }),
  target: z.object({ site: siteId, name: targetName, settings: json(targetSettings) }),
  release: z.unknown().refine(fitsAs(fromReleaseRow, release.omit({ pages: true }))),
  online_page: z.object({ site: siteId, target: targetName }),
  export_page: null,
  release_page: null,
  unread_version: null,
  page_text: null,
  unread_page: null,
}

/** Values of lists that follow from other rows; lists of redirects with more than a page may have. */
const contradicting = `SELECT 1 FROM material m LEFT JOIN version v ON v.id = m.current_version
    WHERE m.saved_at IS NOT v.received_at OR m.editor IS NOT v.user_email
  UNION ALL SELECT 1 FROM online_page WHERE since NOT IN (SELECT at FROM release)
  UNION ALL SELECT 1 FROM comment WHERE (resolved_by IS NULL) <> (resolved_at IS NULL)
  UNION ALL SELECT 1 FROM comment c JOIN comment t ON t.id = c.thread WHERE t.thread IS NOT NULL OR t.version <> c.version
  UNION ALL SELECT 1 FROM page_redirect GROUP BY material HAVING count(*) > ${redirectsAtMost} LIMIT 1`

/** How long to check rows before yielding to the event loop. */
const sliceMs = 8

/** Whether the log takes every value of an index. Throws the reason of `signal`. */
export async function hasValuesOfLog(index: string, signal: AbortSignal): Promise<boolean> {
  const db = new BetterSqlite3(index, { readonly: true })
  try {
    if (db.prepare(contradicting).get() !== undefined) return false
    for (const [table, type] of Object.entries(tables)) {
      if (db.prepare(`PRAGMA foreign_key_check(${table})`).get() !== undefined) return false
      if (type !== null && !(await fitsIn(db, table, type, signal))) return false
    }
    return true
  } catch (error) {
    // A column contains invalid JSON, or JSON of another form.
    if (error instanceof SyntaxError || error instanceof TypeError) return false
    throw error
  } finally {
    db.close()
  }
}

async function fitsIn(db: Database, table: string, type: z.ZodType, signal: AbortSignal): Promise<boolean> {
  let endMs = performance.now() + sliceMs
  for (const row of db.prepare(`SELECT * FROM ${table}`).iterate()) {
    if (!type.safeParse(row).success) return false
    if (performance.now() < endMs) continue
    await nextTurn()
    signal.throwIfAborted()
    endMs = performance.now() + sliceMs
  }
  return true
}

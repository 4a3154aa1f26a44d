import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'

import type { Change, FieldsSet } from '../../records/changes.ts'
import type { ExportRequest, LoggedExport } from '../../records/export-record.ts'
import type { FieldsToSet } from '../../records/fields.ts'
import { fileOfTheme } from '../../records/site-model.ts'
import type { TargetSettings } from '../../records/target.ts'
import { fieldValues, redirectsOf, storedValues } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { ReleaseRow } from '../database/release-row.ts'
import { fromReleaseRow } from '../database/release-row.ts'
import type { SiteRow } from '../database/site-row.ts'
import { fromSiteRow } from '../database/site-row.ts'
import { fontSetChanges, sheetChanges, versionChanges } from './stored-saves.ts'

interface MaterialRow {
  id: number
  site: SiteId
  material_id: MaterialId
  session_id: string | null
  fingerprint: string | null
  editor_url: string | null
  last_access: string | null
  sent_metadata: string | null
  opened_callback_url: string | null
}

/**
 * The changes that create the rows of an index, in a valid order, for rewriting a log from the index. The table `callback` must contain every callback of this computer.
 */
export function* changesOf(db: ReadHandle): Generator<Change, void, void> {
  yield* siteChanges(db)
  yield* materialChanges(db)
  yield* fontSetChanges(db)
  yield* sheetChanges(db)
  yield* exportChanges(db)
  yield* releaseChanges(db)
  // After exports and releases, which would otherwise count as publications.
  yield* pageChanges(db)
  yield* tagChanges(db)
}

function* siteChanges(db: ReadHandle): Generator<Change> {
  const sites = db
    .prepare<[], SiteRow & { removed_at: string | null; owner: string }>('SELECT * FROM site ORDER BY id')
    .all()
  const bases = db.prepare<[string], string>('SELECT base FROM public_base WHERE site = ? ORDER BY base').pluck()
  for (const row of sites) {
    yield { kind: 'site_saved', site: fromSiteRow(row), publicBases: bases.all(row.id), owner: row.owner }
    if (row.removed_at !== null) yield { kind: 'site_removed', site: row.id, at: row.removed_at }
  }
  yield* settingChanges(db)
}

function* settingChanges(db: ReadHandle): Generator<Change> {
  const said = db.prepare<[], { site: SiteId }>('SELECT * FROM site_setting ORDER BY site').all()
  const file = db.prepare<[string], { sha256: Sha256; sizeBytes: number; pack: Sha256 | null; offset: number }>(
    'SELECT sha256, size_bytes AS sizeBytes, pack, pack_at AS "offset" FROM blob WHERE sha256 = ?',
  )
  for (const row of said) {
    const set = storedValues('site', row)
    const found = file.get(fileOfTheme(set.theme ?? '') ?? '')
    const { sha256, sizeBytes, pack, offset } = found ?? {}
    const blob = sha256 &&
      sizeBytes !== undefined && { sha256, sizeBytes, pack: pack ? { sha256: pack, offset: offset ?? 0 } : null }
    yield { kind: 'fields_set', record: 'site', site: row.site, set, ...(blob && { blobs: [blob] }) }
  }
}

function* pageChanges(db: ReadHandle): Generator<Change> {
  const pages = db.prepare<[], { site: SiteId; materialId: MaterialId }>(
    `SELECT p.*, m.material_id AS materialId, ${redirectsOf('p.material')} AS redirects_from
     FROM page p JOIN material m ON m.id = p.material ORDER BY p.material`,
  )
  for (const row of pages.all()) {
    const { site, materialId } = row
    yield { kind: 'fields_set', record: 'page', site, of: [{ materialId }], set: storedValues('page', row) }
  }
}

function* tagChanges(db: ReadHandle): Generator<Change> {
  const rows = db
    .prepare<[], { site: SiteId; tag: string; folder: string }>('SELECT * FROM tag_folder ORDER BY site, tag')
    .all()
  for (const [site, tags] of Map.groupBy(rows, (row) => row.site))
    yield { kind: 'addresses_decided', site, addresses: [], tags: tags.map(({ tag, folder }) => ({ tag, folder })) }
}

function* materialChanges(db: ReadHandle): Generator<Change> {
  const materials = db.prepare<[], MaterialRow>('SELECT * FROM material ORDER BY id').all()
  for (const row of materials) yield* openingOf(row)
  yield* versionChanges(db)
  const tags = db.prepare<[number], { tag: string }>('SELECT tag FROM material_tag WHERE material = ? ORDER BY tag')
  for (const row of materials) {
    const add = tags.all(row.id).map(({ tag }) => tag)
    yield materialSet(row, { ...fieldValues('material', row), tags: { add, remove: [] } })
  }
}

const materialSet = (
  { site, material_id: materialId }: MaterialRow,
  set: FieldsToSet<'material'>,
): FieldsSet<'material'> => ({ kind: 'fields_set', record: 'material', site, of: [{ materialId }], set })

/** Creates the material at its position in the order of arrival. */
function* openingOf(row: MaterialRow): Generator<Change> {
  const { session_id: sessionId, fingerprint, editor_url: url, last_access: at } = row
  const callbackUrl = row.opened_callback_url
  if (sessionId === null || fingerprint === null || url === null || at === null || callbackUrl === null) {
    // A rule creates the row, even if it is withdrawn at once.
    yield materialSet(row, { refused: { reason: '', since: '1970-01-01T00:00:00.000Z' } })
    yield materialSet(row, { refused: null })
    return
  }
  yield {
    kind: 'material_opened',
    site: row.site,
    materialId: row.material_id,
    title: null,
    slug: null,
    sessionId,
    fingerprint,
    url,
    at,
    sentMetadata: row.sent_metadata ?? '{}',
    callbackUrl,
  }
}

function* exportChanges(db: ReadHandle): Generator<Change> {
  const exports = db.prepare<
    [],
    { arrival: number; id: string; site: SiteId; at: string; request: string; report: string }
  >('SELECT arrival, id, site, at, request, report FROM export ORDER BY arrival')
  const pages = db.prepare<[number], { materialId: MaterialId; versionId: VersionId }>(
    `SELECT m.material_id AS materialId, v.version_id AS versionId FROM export_page p
       JOIN version v ON v.id = p.version JOIN material m ON m.id = v.material WHERE p.export = ? ORDER BY p.version`,
  )
  for (const { arrival, request, report, ...row } of exports.all())
    yield {
      kind: 'exported',
      ...row,
      request: JSON.parse(request) as ExportRequest,
      report: JSON.parse(report) as LoggedExport,
      pages: pages.all(arrival),
    }
}

function* releaseChanges(db: ReadHandle): Generator<Change> {
  const targets = db
    .prepare<[], { site: SiteId; name: string; settings: string }>('SELECT * FROM target ORDER BY site, name')
    .all()
  for (const { site, name, settings } of targets)
    yield { kind: 'target_saved', site, name, settings: JSON.parse(settings) as TargetSettings }
  const pages = db.prepare<[number], { materialId: MaterialId; versionId: VersionId }>(
    `SELECT m.material_id AS materialId, v.version_id AS versionId FROM release_page p
       JOIN version v ON v.id = p.version JOIN material m ON m.id = v.material WHERE p.release = ? ORDER BY p.version`,
  )
  const releases = db.prepare<[], ReleaseRow & { arrival: number }>('SELECT * FROM release ORDER BY arrival').all()
  for (const row of releases)
    yield { kind: 'released', release: { ...fromReleaseRow(row), pages: pages.all(row.arrival) } }
}

import type { Change, LoggedDelivery, MediaReference, NewBlob } from '../../../../contract/domain/changes.ts'
import { referencesForm } from '../../../../contract/domain/media-references.ts'
import type { Remark } from '../../../../contract/domain/remark.ts'
import type { MaterialId, Sha256, SiteId, VersionId } from '../../../../contract/ids.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { SnapshotColumns } from '../database/snapshot-row.ts'

export interface VersionRow {
  id: number
  version_id: VersionId
  version_cdate: string | null
  received_at: string
  user_email: string | null
  html_sha256: Sha256
  state_sha256: Sha256
  metadata: string | null
  archive_sha256: Sha256
  kept_sha256: Sha256
  size_bytes: number
  public_base: string
  warnings: string
  pinned: number
  tags: string
  note: string
  verdict: 'approved' | 'rejected' | null
  verdict_note: string
  verdict_at: string | null
  /** Absent in libraries without a log. */
  heading?: string | null
}

interface SnapshotRow extends SnapshotColumns {
  warnings: string
}

/** What a delivery stored: a version, or a font set without a material. */
interface StoredSave {
  readonly kind: 'article_saved' | 'site_fonts_updated'
  readonly site: SiteId
  readonly materialId: MaterialId | null
  readonly versionId: string
}

interface CallbackRow {
  id: LoggedDelivery['id']
  /** Null: only the ledger has the delivery. */
  received_at: string | null
  material_id: string | null
  content_url: string | null
  payload: string | null
  headers: string | null
  body_bytes: number | null
  rm: string
  steps: string
  duration_ms: number | null
}

interface NamedRow {
  name: string
  sha256: Sha256
  size_bytes: number
}

/** Identifies the material of a version. */
export interface MaterialName {
  readonly site: SiteId
  readonly materialId: MaterialId
}

/** A reference, with the file that it means if that is stored. */
interface NamedReference {
  hashStart: string
  name: string
  sha256: Sha256 | null
}

const asReference = ({ sha256, ...named }: NamedReference): MediaReference => ({
  ...named,
  ...(sha256 !== null && { sha256 }),
})

/** References of a version; null if they have not been read yet. Those of an earlier form are read again. */
function referenceReader(
  db: ReadHandle,
): (version: number) => { readonly references: MediaReference[] | null; readonly referencesForm?: number } {
  const unread = db.prepare<[number]>('SELECT 1 FROM unread_version WHERE version = ?')
  const references = db.prepare<[number], NamedReference>(
    `SELECT r.hash_start AS hashStart, r.name, f.sha256 FROM media_reference r
       LEFT JOIN media_file f ON f.sha256 >= r.hash_start AND f.sha256 < r.hash_start || 'g' AND f.name = r.name
     WHERE r.version = ? ORDER BY r.hash_start, r.name`,
  )
  return (version) => {
    const found = references.all(version).map(asReference)
    if (unread.get(version) === undefined) return { references: found, referencesForm }
    return { references: found.length === 0 ? null : found }
  }
}

/** Reads the change that stored a version. */
export function versionReader(db: ReadHandle) {
  const media = db.prepare<[number], NamedRow>(
    'SELECT name, sha256, size_bytes FROM media WHERE version = ? ORDER BY name',
  )
  const referencesOf = referenceReader(db)
  const blobOf = blobReader(db)
  const deliveryOf = deliveryReader(db)
  return (names: MaterialName, row: VersionRow): Change => {
    const files = media.all(row.id).map(({ name, sha256, size_bytes: sizeBytes }) => ({ name, sha256, sizeBytes }))
    const found = referencesOf(row.id)
    const referred = (found.references ?? []).flatMap(({ sha256 }) => sha256 ?? [])
    const named = [
      row.html_sha256,
      row.state_sha256,
      row.kept_sha256,
      ...files.map(({ sha256 }) => sha256),
      ...referred,
    ]
    return {
      kind: 'version_stored',
      version: {
        ...names,
        versionId: row.version_id,
        versionCdate: row.version_cdate,
        receivedAt: row.received_at,
        userEmail: row.user_email,
        html: row.html_sha256,
        state: row.state_sha256,
        metadata: row.metadata,
        archiveSha256: row.archive_sha256,
        keptSha256: row.kept_sha256,
        sizeBytes: row.size_bytes,
        publicBase: row.public_base,
        warnings: JSON.parse(row.warnings) as Remark[],
        media: files,
        ...found,
        // The title of the material is written last.
        title: row.heading ?? null,
      },
      blobs: [...new Set(named)].flatMap((sha256) => blobOf(sha256) ?? []),
      delivery: deliveryOf({ kind: 'article_saved', ...names, versionId: row.version_id }, row.received_at),
    }
  }
}

export function* fontSetChanges(db: ReadHandle): Generator<Change> {
  const snapshots = db.prepare<[], SnapshotRow>('SELECT * FROM snapshot ORDER BY id')
  const filesOf = db.prepare<[number], NamedRow>(
    'SELECT name, sha256, size_bytes FROM font_file WHERE snapshot = ? ORDER BY name',
  )
  const blobOf = blobReader(db)
  const deliveryOf = deliveryReader(db)
  for (const row of snapshots.all()) {
    const files = filesOf.all(row.id).map(({ name, sha256, size_bytes: sizeBytes }) => ({ name, sha256, sizeBytes }))
    const parts = [row.css_sha256, row.tree_sha256, row.answer_sha256, row.kept_sha256]
    const named = [...parts, ...files.map(({ sha256 }) => sha256)].filter((sha256) => sha256 !== null)
    yield {
      kind: 'fonts_stored',
      snapshot: {
        site: row.site,
        snapshotId: row.snapshot_id,
        receivedAt: row.received_at,
        css: row.css_sha256,
        tree: row.tree_sha256,
        answer: row.answer_sha256,
        archiveSha256: row.archive_sha256,
        keptSha256: row.kept_sha256,
        publicBase: row.public_base,
        warnings: JSON.parse(row.warnings) as Remark[],
        files,
      },
      blobs: [...new Set(named)].flatMap((sha256) => blobOf(sha256) ?? []),
      delivery: deliveryOf(
        { kind: 'site_fonts_updated', site: row.site, materialId: null, versionId: row.snapshot_id },
        row.received_at,
      ),
    }
  }
}

/** Style sheets per change. */
const sheetsAtOnce = 200

/** The references of style sheets, with the blobs that only they use. */
export function* sheetChanges(db: ReadHandle): Generator<Change> {
  const read = db.prepare<[], Sha256>('SELECT sha256 FROM style_sheet WHERE is_read = 1 ORDER BY sha256').pluck()
  // Those of an earlier form are read again, and are needed until then.
  const readAgain = db
    .prepare<[], Sha256>(
      `SELECT DISTINCT r.sheet FROM style_reference r JOIN style_sheet s ON s.sha256 = r.sheet
       WHERE s.is_read = 0 ORDER BY r.sheet`,
    )
    .pluck()
  const named = db.prepare<[string], NamedReference>(
    `SELECT r.hash_start AS hashStart, r.name, f.sha256 FROM style_reference r
       LEFT JOIN media_file f ON f.sha256 >= r.hash_start AND f.sha256 < r.hash_start || 'g' AND f.name = r.name
     WHERE r.sheet = ? ORDER BY r.hash_start, r.name`,
  )
  const blobOf = blobReader(db)
  for (const [files, form] of [
    [read.all(), { referencesForm }],
    [readAgain.all(), {}],
  ] as const) {
    for (let at = 0; at < files.length; at += sheetsAtOnce) {
      const sheets = files
        .slice(at, at + sheetsAtOnce)
        .map((sheet) => ({ sheet, references: named.all(sheet).map(asReference) }))
      const needed = sheets.flatMap((each) => [each.sheet, ...each.references.flatMap(({ sha256 }) => sha256 ?? [])])
      const blobs = [...new Set(needed)].flatMap((sha256) => blobOf(sha256) ?? [])
      yield { kind: 'references_found', versions: [], sheets, blobs, ...form }
    }
  }
}

function blobReader(db: ReadHandle): (sha256: Sha256) => NewBlob | null {
  const one = db.prepare<[string], { size_bytes: number; pack: Sha256 | null; pack_at: number }>(
    'SELECT size_bytes, pack, pack_at FROM blob WHERE sha256 = ?',
  )
  return (sha256) => {
    const row = one.get(sha256)
    if (!row) return null
    const { size_bytes: sizeBytes, pack, pack_at: offset } = row
    return { sha256, sizeBytes, pack: pack === null ? null : { sha256: pack, offset } }
  }
}

function deliveryReader(db: ReadHandle) {
  const wanted =
    'kind = @kind AND site = @site AND (@materialId IS NULL OR material_id = @materialId) AND version_id = @versionId'
  const stored = db.prepare<StoredSave, CallbackRow>(
    `SELECT id, received_at, material_id, content_url, payload, headers, body_bytes, rm, steps, duration_ms FROM callback
     WHERE outcome = 'stored' AND ${wanted} ORDER BY arrival LIMIT 1`,
  )
  // If this computer has lost its list of callbacks, the ledger still has the deliveries.
  const ledger = db.prepare<StoredSave, CallbackRow>(
    `SELECT callback AS id, NULL AS received_at, material_id, content_url, payload, NULL AS headers,
       NULL AS body_bytes, '' AS rm, '[]' AS steps, NULL AS duration_ms FROM delivery WHERE ${wanted}`,
  )
  /** `receivedAt`: that of the save. */
  return (bound: StoredSave, receivedAt: string): LoggedDelivery | null => {
    const row = stored.get(bound) ?? ledger.get(bound)
    if (!row) return null
    return {
      id: row.id,
      receivedAt: row.received_at ?? receivedAt,
      materialId: row.material_id,
      contentUrl: row.content_url,
      payload: row.payload,
      headers: row.headers === null ? [] : (JSON.parse(row.headers) as LoggedDelivery['headers']),
      bodyBytes: row.body_bytes,
      rm: row.rm,
      steps: JSON.parse(row.steps) as LoggedDelivery['steps'],
      durationMs: row.duration_ms,
    }
  }
}

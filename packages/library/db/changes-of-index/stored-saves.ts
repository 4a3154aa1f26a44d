import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'

import type { Change, FieldsSet, LoggedDelivery, MediaReference, NewBlob } from '../../records/changes.ts'
import type { FieldsToSet, GivenVerdict } from '../../records/fields.ts'
import { fieldsOf } from '../../records/fields.ts'
import { referencesForm } from '../../records/media-references.ts'
import type { Remark } from '../../records/remark.ts'
import { fieldValues } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import type { SnapshotColumns } from '../database/snapshot-row.ts'

export interface VersionRow {
  id: number
  site: SiteId
  materialId: MaterialId
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
  heading: string | null
  /** 1: its references have not been read, or were read in an earlier form. */
  is_unread: number
}

interface SnapshotRow extends SnapshotColumns {
  warnings: string
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

/** The rows of each version, from one scan: a hundred thousand small queries take ten times as long. */
function inTurn<Row extends { version: number }>(rows: IterableIterator<Row>) {
  let next = rows.next()
  return {
    /** Versions are asked for in ascending order. */
    of(version: number): readonly Row[] {
      const found: Row[] = []
      for (; next.done !== true && next.value.version <= version; next = rows.next())
        if (next.value.version === version) found.push(next.value)
      return found
    },
    end: () => void rows.return?.(),
  }
}

/** The changes that stored the versions and marked them, in their order of arrival. */
export function* versionChanges(db: ReadHandle): Generator<Change> {
  const versions = db.prepare<[], VersionRow>(
    `SELECT v.*, m.site, m.material_id AS materialId, u.version IS NOT NULL AS is_unread
     FROM version v JOIN material m ON m.id = v.material LEFT JOIN unread_version u ON u.version = v.id ORDER BY v.id`,
  )
  const media = db.prepare<[], NamedRow & { version: number }>(
    'SELECT version, name, sha256, size_bytes FROM media ORDER BY version, name',
  )
  const references = db.prepare<[], NamedReference & { version: number }>(
    `SELECT r.version, r.hash_start AS hashStart, r.name, f.sha256 FROM media_reference r
       LEFT JOIN media_file f ON f.sha256 >= r.hash_start AND f.sha256 < r.hash_start || 'g' AND f.name = r.name
     ORDER BY r.version, r.hash_start, r.name`,
  )
  const blobOf = blobReader(db)
  const deliveryOf = deliveryReader(db)
  const [files, found] = [inTurn(media.iterate()), inTurn(references.iterate())]
  try {
    for (const row of versions.iterate()) {
      const named = files.of(row.id).map(({ name, sha256, size_bytes: sizeBytes }) => ({ name, sha256, sizeBytes }))
      yield storedVersion(row, { media: named, references: found.of(row.id).map(asReference), blobOf, deliveryOf })
      yield* marksOf(row)
    }
  } finally {
    files.end()
    found.end()
  }
  yield* decisionChanges(db)
}

interface VersionName {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
}

const versionSet = ({ site, ...version }: VersionName, set: FieldsToSet<'version'>): FieldsSet<'version'> => ({
  kind: 'fields_set',
  record: 'version',
  site,
  of: [version],
  set,
})

/** Everything that people have decided, in its order. */
function* decisionChanges(db: ReadHandle): Generator<Change> {
  const decisions = db.prepare<[], VersionName & { verdict: string }>(
    `SELECT m.site, m.material_id AS materialId, v.version_id AS versionId, d.verdict
     FROM decision d JOIN version v ON v.id = d.version JOIN material m ON m.id = v.material ORDER BY d.id`,
  )
  for (const { verdict, ...version } of decisions.iterate())
    yield versionSet(version, { verdict: JSON.parse(verdict) as GivenVerdict })
}

interface VersionParts {
  readonly media: readonly { readonly name: string; readonly sha256: Sha256; readonly sizeBytes: number }[]
  readonly references: readonly MediaReference[]
  readonly blobOf: ReturnType<typeof blobReader>
  readonly deliveryOf: ReturnType<typeof deliveryReader>
}

function storedVersion(row: VersionRow, { media, references, blobOf, deliveryOf }: VersionParts): Change {
  const referred = references.flatMap(({ sha256 }) => sha256 ?? [])
  const named = [row.html_sha256, row.state_sha256, row.kept_sha256, ...media.map(({ sha256 }) => sha256), ...referred]
  return {
    kind: 'version_stored',
    version: {
      site: row.site,
      materialId: row.materialId,
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
      media,
      // Null: not read yet. Those of an earlier form are read again.
      references: row.is_unread === 1 && references.length === 0 ? null : references,
      ...(row.is_unread === 0 && { referencesForm }),
      // The title of the material is written last.
      title: row.heading,
    },
    blobs: [...new Set(named)].flatMap((sha256) => blobOf(sha256) ?? []),
    delivery: deliveryOf('article_saved', row.site, row.materialId, row.version_id, row.received_at),
  }
}

function* marksOf(row: VersionRow): Generator<Change> {
  const { verdict: _last, ...marks } = fieldValues('version', row)
  const isInitial = ([name, value]: readonly [string, unknown]): boolean =>
    JSON.stringify(value) === JSON.stringify(fieldsOf('version')[name]?.initial)
  const { site, materialId, version_id: versionId } = row
  if (!Object.entries(marks).every(isInitial)) yield versionSet({ site, materialId, versionId }, marks)
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
      delivery: deliveryOf('site_fonts_updated', row.site, null, row.snapshot_id, row.received_at),
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

/** Reads the delivery that stored a version of a material, or a font set. */
function deliveryReader(db: ReadHandle) {
  type Kind = 'article_saved' | 'site_fonts_updated'
  // If this computer has lost its list of callbacks, the ledger still has the deliveries.
  const first = db.prepare<[SiteId, Kind, string, MaterialId | null, MaterialId | null], CallbackRow>(
    `SELECT d.callback AS id, c.received_at, d.material_id, d.content_url, coalesce(c.payload, d.payload) AS payload,
       c.headers, c.body_bytes, coalesce(c.rm, '') AS rm, coalesce(c.steps, '[]') AS steps, c.duration_ms
     FROM delivery d LEFT JOIN callback c ON c.id = d.callback AND c.outcome = 'stored'
     WHERE d.site = ? AND d.kind = ? AND d.version_id = ? AND (? IS NULL OR d.material_id = ?) ORDER BY d.id LIMIT 1`,
  )
  return (
    kind: Kind,
    site: SiteId,
    materialId: MaterialId | null,
    versionId: string,
    savedAt: string,
  ): LoggedDelivery | null => {
    const row = first.get(site, kind, versionId, materialId, materialId)
    if (!row) return null
    return {
      id: row.id,
      receivedAt: row.received_at ?? savedAt,
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

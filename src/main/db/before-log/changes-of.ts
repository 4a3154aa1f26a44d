import type { Database } from 'better-sqlite3'

import type { MaterialId, Sha256, SiteId, SnapshotId, VersionId } from '../../../contract/ids.ts'
import type { Change, Delivery, NewBlob } from '../../../contract/log/changes.ts'
import { readRemark } from '../../../contract/remark.ts'
import type { SiteRow } from '../site-row.ts'
import { fromSiteRow } from '../site-row.ts'

interface MaterialRow {
  id: number
  site: SiteId
  material_id: MaterialId
  title: string
  slug: string
  session_id: string | null
  fingerprint: string | null
  editor_url: string | null
  last_access: string | null
  sent_metadata: string | null
  opened_callback_url: string | null
  refused_reason: string | null
  refused_since: string | null
}

interface VersionRow {
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
}

interface SnapshotRow {
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
  warnings: string
}

interface CallbackRow {
  id: Delivery['id']
  received_at: string
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

/** Archives that one change names. */
const archivesAtOnce = 500

/** Which of two schemas the rows are in: that of libraries without a log, or today's. */
export type Source = 'before_log' | 'today'

/**
 * The changes that lead to the rows of an index, in an order in which they can be applied: for libraries that had no log,
 * and for a log that is written anew from the index. `callback` has to be the table with every callback of this machine.
 */
export function* changesOf(db: Database, source: Source): Generator<Change, void, void> {
  yield* siteChanges(db, source)
  yield* materialChanges(db, source)
  yield* snapshotChanges(db, source)
  yield* exportChanges(db)
  yield* unredactedArchives(db, source)
}

const remarks = (text: string, source: Source) =>
  source === 'today'
    ? (JSON.parse(text) as ReturnType<typeof readRemark>[])
    : (JSON.parse(text) as string[]).map(readRemark)

function* siteChanges(db: Database, source: Source): Generator<Change> {
  const sites = db.prepare<[], SiteRow & { removed_at: string | null }>('SELECT * FROM site ORDER BY id').all()
  for (const row of sites) {
    yield { kind: 'site_saved', site: fromSiteRow(row) }
    if (row.removed_at !== null) yield { kind: 'site_removed', site: row.id as SiteId, at: row.removed_at }
  }
  const rules = db
    .prepare<[], { site: SiteId; editors: string; token_action: 'refuse' | 'accept'; token_key: string }>(
      'SELECT site, editors, token_action, token_key FROM site_rule ORDER BY site',
    )
    .all()
  for (const { site, editors, token_action: action, token_key: key } of rules) {
    const patterns = JSON.parse(editors) as { pattern: string; reason: string }[]
    yield { kind: 'rules_saved', site, editors: patterns, expiredToken: { action, key } }
  }
  const pauses =
    source === 'today'
      ? db.prepare<[], { site: string; reason: string; since: string }>('SELECT * FROM save_pause ORDER BY site').all()
      : db
          .prepare<[], { site: string; reason: string; since: string }>(
            `SELECT site, coalesce(pause_reason, '') AS reason, paused_since AS since FROM site_rule
             WHERE paused_since IS NOT NULL
             UNION ALL SELECT '', value ->> '$.reason', value ->> '$.since' FROM setting
             WHERE name = 'save-pause' AND value <> ''`,
          )
          .all()
  for (const { site, reason, since } of pauses)
    yield { kind: 'saves_paused', site: site === '' ? null : (site as SiteId), pause: { reason, since } }
}

function* materialChanges(db: Database, source: Source): Generator<Change> {
  const materials = db.prepare<[], MaterialRow>('SELECT * FROM material ORDER BY id')
  const versions = db.prepare<[number], VersionRow>('SELECT * FROM version WHERE material = ? ORDER BY id')
  const tags = db.prepare<[number], { tag: string }>('SELECT tag FROM material_tag WHERE material = ? ORDER BY tag')
  const versionChange = versionReader(db, source)
  for (const row of materials.all()) {
    const names = { site: row.site, materialId: row.material_id }
    yield* openingOf(row)
    const stored = versions.all(row.id)
    for (const version of stored) yield versionChange(names, version)
    for (const version of stored) yield* marksOf(names, version)
    const tagged = tags.all(row.id).map(({ tag }) => tag)
    if (tagged.length > 0)
      yield { kind: 'materials_tagged', site: row.site, materialIds: [row.material_id], add: tagged, remove: [] }
    if (row.refused_since !== null) yield refusal(row, row.refused_reason ?? '', row.refused_since)
    yield { kind: 'material_renamed', ...names, title: row.title, slug: row.slug }
  }
}

const refusal = ({ site, material_id: materialId }: MaterialRow, reason: string | null, at: string): Change => ({
  kind: 'materials_refused',
  site,
  materialIds: [materialId],
  reason,
  at,
})

/** Brings the material into being, in its place among the others. */
function* openingOf(row: MaterialRow): Generator<Change> {
  const { session_id: sessionId, fingerprint, editor_url: url, last_access: at } = row
  if (sessionId === null || fingerprint === null || url === null || at === null) {
    // A rule makes a row, also where it is taken back at once.
    yield refusal(row, '', '1970-01-01T00:00:00.000Z')
    yield refusal(row, null, '1970-01-01T00:00:00.000Z')
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
    callbackUrl: row.opened_callback_url,
  }
}

function versionReader(db: Database, source: Source) {
  const media = db.prepare<[number], NamedRow>(
    'SELECT name, sha256, size_bytes FROM media WHERE version = ? ORDER BY name',
  )
  const references =
    source === 'today'
      ? db.prepare<[number], { hashStart: string; name: string }>(
          'SELECT hash_start AS hashStart, name FROM media_reference WHERE version = ? ORDER BY hash_start, name',
        )
      : null
  const blobOf = blobReader(db)
  const deliveryOf = deliveryReader(db, source)
  return (names: { site: SiteId; materialId: MaterialId }, row: VersionRow): Change => {
    const files = media.all(row.id).map(({ name, sha256, size_bytes: sizeBytes }) => ({ name, sha256, sizeBytes }))
    const named = [row.html_sha256, row.state_sha256, row.kept_sha256, ...files.map(({ sha256 }) => sha256)]
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
        warnings: remarks(row.warnings, source),
        media: files,
        references: references?.all(row.id) ?? [],
        // What a material is called comes last of all.
        title: null,
      },
      blobs: [...new Set(named)].flatMap((sha256) => blobOf(sha256) ?? []),
      delivery: deliveryOf('article_saved', names.site, names.materialId, row.version_id),
    }
  }
}

function* marksOf(names: { site: SiteId; materialId: MaterialId }, row: VersionRow): Generator<Change> {
  const isMarked = row.pinned === 1 || row.tags !== '[]' || row.note !== '' || row.verdict !== null
  if (!isMarked) return
  const verdict = row.verdict && { kind: row.verdict, note: row.verdict_note, at: row.verdict_at ?? row.received_at }
  yield {
    kind: 'version_marked',
    version: { ...names, versionId: row.version_id },
    pinned: row.pinned === 1,
    tags: JSON.parse(row.tags) as string[],
    note: row.note,
    verdict,
  }
}

function* snapshotChanges(db: Database, source: Source): Generator<Change> {
  const snapshots = db.prepare<[], SnapshotRow>('SELECT * FROM snapshot ORDER BY id')
  const filesOf = db.prepare<[number], NamedRow>(
    'SELECT name, sha256, size_bytes FROM font_file WHERE snapshot = ? ORDER BY name',
  )
  const blobOf = blobReader(db)
  const deliveryOf = deliveryReader(db, source)
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
        warnings: remarks(row.warnings, source),
        files,
      },
      blobs: [...new Set(named)].flatMap((sha256) => blobOf(sha256) ?? []),
      delivery: deliveryOf('site_fonts_updated', row.site, null, row.snapshot_id),
    }
  }
}

function* exportChanges(db: Database): Generator<Change> {
  const exports = db.prepare<
    [],
    { arrival: number; id: string; site: SiteId; at: string; wish: string; report: string }
  >('SELECT arrival, id, site, at, wish, report FROM export ORDER BY arrival')
  const pages = db.prepare<[number], { materialId: MaterialId; versionId: VersionId }>(
    `SELECT m.material_id AS materialId, v.version_id AS versionId FROM export_page p
       JOIN version v ON v.id = p.version JOIN material m ON m.id = v.material WHERE p.export = ? ORDER BY p.version`,
  )
  for (const { arrival, wish, report, ...row } of exports.all())
    yield {
      kind: 'exported',
      ...row,
      wish: JSON.parse(wish) as Record<string, unknown>,
      report: JSON.parse(report) as Record<string, unknown>,
      pages: pages.all(arrival),
    }
}

/** Of a library from before the log nobody can tell which archives hold credentials. */
function* unredactedArchives(db: Database, source: Source): Generator<Change> {
  const archives = db
    .prepare<[], Sha256>(
      source === 'today'
        ? 'SELECT sha256 FROM unredacted_archive ORDER BY sha256'
        : 'SELECT kept_sha256 FROM version UNION SELECT kept_sha256 FROM snapshot ORDER BY 1',
    )
    .pluck()
    .all()
  for (let at = 0; at < archives.length; at += archivesAtOnce)
    yield { kind: 'archives_unredacted', archives: archives.slice(at, at + archivesAtOnce) }
}

function blobReader(db: Database): (sha256: Sha256) => NewBlob | null {
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

function deliveryReader(db: Database, source: Source) {
  const wanted =
    'kind = @kind AND site = @site AND (@materialId IS NULL OR material_id = @materialId) AND version_id = @versionId'
  const stored = db.prepare<Record<string, string | null>, CallbackRow>(
    `SELECT id, received_at, material_id, content_url, payload, headers, body_bytes, rm, steps, duration_ms FROM callback
     WHERE outcome = 'stored' AND ${wanted} ORDER BY arrival LIMIT 1`,
  )
  // Where this machine has lost its list of callbacks, the ledger still knows what was stored.
  const ledger =
    source === 'today'
      ? db.prepare<Record<string, string | null>, CallbackRow>(
          `SELECT callback AS id, '' AS received_at, material_id, content_url, payload, NULL AS headers,
             NULL AS body_bytes, '' AS rm, '[]' AS steps, NULL AS duration_ms FROM delivery WHERE ${wanted}`,
        )
      : null
  return (kind: string, site: SiteId, materialId: string | null, versionId: string): Delivery | null => {
    const bound = { kind, site, materialId, versionId }
    const row = stored.get(bound) ?? ledger?.get(bound)
    if (!row) return null
    return {
      id: row.id,
      receivedAt: row.received_at,
      materialId: row.material_id,
      contentUrl: row.content_url,
      payload: row.payload,
      headers: row.headers === null ? [] : (JSON.parse(row.headers) as Delivery['headers']),
      bodyBytes: row.body_bytes,
      rm: row.rm,
      steps: JSON.parse(row.steps) as Delivery['steps'],
      durationMs: row.duration_ms,
    }
  }
}

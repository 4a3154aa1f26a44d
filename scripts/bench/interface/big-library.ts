/** Fills a library with 10,000 materials, 100,000 versions and 50,000 callbacks in a few seconds, past the product. */
import Database from 'better-sqlite3'
import { editors, numbersFrom, oneOf, pageText, tags, titleOf } from './texts.ts'

export const materialCount = 10_000
const versionsEach = 10
const callbackCount = 50_000
const snapshotCount = 200
const exportCount = 500
const firstSaveMs = Date.UTC(2025, 0, 6, 8)
const betweenSavesMs = 5 * 60_000

/** How callbacks end, as often as they stand here. */
const endings = [
  ...Array.from({ length: 14 }, () => ({ outcome: 'stored', http: 200, rc: 1, code: null })),
  { outcome: 'duplicate', http: 200, rc: 1, code: null },
  { outcome: 'refused', http: 200, rc: 0, code: 'refused' },
  { outcome: 'rejected', http: 400, rc: 0, code: 'invalid_signature' },
  { outcome: 'failed', http: 502, rc: 0, code: 'download_failed' },
] as const

const steps = JSON.stringify(
  ['download', 'directory', 'unpack', 'rewrite', 'sync', 'place', 'index'].map((name, at) => ({ name, ms: at + 1.5 })),
)

const target = { kind: 'folder', path: '/exports/site' }
const wish = JSON.stringify({ site: 'bench', materials: [], pins: [], target, baseUrl: null, check: 'warn' })
const counts = { files: 12, added: 1, changed: 2, removed: 0, unchanged: 9, bytes: 480_000 }
const report = JSON.stringify({ counts, brokenReferences: 0, sha256: '0'.repeat(64) })

/**
 * Multiplies the first version that the index holds: its blobs are real, so every version can be looked at. Of
 * each fact the columns that lists show differ; whatever is derived, such as sort keys and counts, is derived here too.
 */
export function fillLibrary(indexFile: string, site: string): void {
  const db = new Database(indexFile)
  try {
    db.pragma('foreign_keys = OFF')
    db.pragma('synchronous = OFF')
    db.transaction(() => fill(db, site))()
    db.pragma('optimize = 0x10002')
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

function fill(db: Database.Database, site: string): void {
  const next = numbersFrom(20_261_121)
  const first = db
    .prepare<[], { id: number; lastVersion: number; lastMaterial: number }>(
      `SELECT id, (SELECT max(id) FROM version) AS lastVersion, (SELECT max(id) FROM material) AS lastMaterial
       FROM version ORDER BY id LIMIT 1`,
    )
    .get()
  if (first === undefined) throw new Error('The library holds no save to multiply')
  const iso = (ms: number): string => new Date(ms).toISOString()
  const savedMs = (material: number, version: number): number =>
    firstSaveMs + (version * materialCount + material) * betweenSavesMs

  const addMaterial = db.prepare(
    `INSERT INTO material (id, site, material_id, title, title_key, slug, session_id, fingerprint, editor_url, last_access,
       current_version, version_count, saved_at, total_bytes, editor, status)
     VALUES (@id, @site, @materialId, @title, @titleKey, @slug, @session, @session, @url, @lastAccess,
       @current, ${versionsEach}, @savedAt, @totalBytes, @editor, 'saved')`,
  )
  const addText = db.prepare('INSERT INTO material_text (rowid, title, material_id, tags, page) VALUES (?, ?, ?, ?, ?)')
  const addTag = db.prepare('INSERT INTO material_tag (site, tag, material) VALUES (?, ?, ?)')
  const addVersion = db.prepare(
    `INSERT INTO version (id, material, version_id, version_cdate, cdate_ms, received_at, user_email, html_sha256,
       state_sha256, metadata, archive_sha256, kept_sha256, media_count, size_bytes, public_base, warnings)
     SELECT @id, @material, @versionId, @at, @ms, @at, @editor, html_sha256,
       state_sha256, metadata, archive_sha256, kept_sha256, media_count, @size, public_base, warnings
     FROM version WHERE id = ${first.id}`,
  )
  const addMedia = db.prepare(
    `INSERT INTO media (version, name, sha256, size_bytes)
     SELECT ?, name, sha256, size_bytes FROM media WHERE version = ${first.id}`,
  )
  const addCallback = db.prepare(
    `INSERT INTO callback (id, site, received_at, kind, material_id, content_url, signature, payload, outcome, http_status,
       rc, code, rm, version_id, steps, duration_ms)
     VALUES (@id, @site, @at, 'article_saved', @materialId, @contentUrl, @signature, '{"event":"article_saved"}', @outcome,
       @http, @rc, @code, @rm, @versionId, @steps, @ms)`,
  )

  const addSnapshot = db.prepare(
    `INSERT INTO snapshot (site, snapshot_id, received_at, css_sha256, archive_sha256, kept_sha256, public_base, warnings)
     SELECT ?, ?, ?, html_sha256, archive_sha256, kept_sha256, public_base, '[]' FROM version WHERE id = ${first.id}`,
  )
  const addExport = db.prepare('INSERT INTO export (id, site, at, wish, report, pages) VALUES (?, ?, ?, ?, ?, 0)')

  const rowOf = (material: number): number => first.lastMaterial + 1 + material
  const versionRow = (material: number, version: number): number =>
    first.lastVersion + 1 + version * materialCount + material
  const materialIdOf = (material: number): string => `post/${String(material).padStart(5, '0')}`

  for (let material = 0; material < materialCount; material += 1) {
    const title = titleOf(material, next)
    const tag = oneOf(tags, next)
    const lastMs = savedMs(material, versionsEach - 1)
    addMaterial.run({
      id: rowOf(material),
      site,
      materialId: materialIdOf(material),
      title,
      titleKey: title.normalize('NFKC').toLowerCase().trim(),
      slug: `post-${material}`,
      session: material % 3 === 0 ? `session-${material}` : null,
      url: material % 3 === 0 ? `http://127.0.0.1:9/editor/${material}` : null,
      lastAccess: material % 3 === 0 ? iso(lastMs) : null,
      current: versionRow(material, versionsEach - 1),
      savedAt: iso(lastMs),
      totalBytes: versionsEach * 52_000,
      editor: oneOf(editors, next),
    })
    addText.run(rowOf(material), title, materialIdOf(material), tag, pageText(next))
    addTag.run(site, tag, rowOf(material))
  }
  for (let version = 0; version < versionsEach; version += 1) {
    for (let material = 0; material < materialCount; material += 1) {
      const ms = savedMs(material, version)
      const id = versionRow(material, version)
      const size = 40_000 + Math.floor(next() * 24_000)
      const editor = oneOf(editors, next)
      const versionId = `v-${material}-${version}`
      addVersion.run({ id, material: rowOf(material), versionId, at: iso(ms), ms, editor, size })
      addMedia.run(id)
    }
  }
  for (let at = 0; at < snapshotCount; at += 1) addSnapshot.run(site, `fonts-${at}`, iso(savedMs(at, 0)))
  for (let at = 0; at < exportCount; at += 1) addExport.run(`export-${at}`, site, iso(savedMs(at, 0)), wish, report)
  for (let at = 0; at < callbackCount; at += 1) {
    const [material, version] = [at % materialCount, versionsEach - 5 + Math.floor(at / materialCount)]
    const { outcome, http, rc, code } = oneOf(endings, next)
    const versionId = `v-${material}-${version}`
    addCallback.run({
      ...{ id: `callback-${at}`, site, at: iso(savedMs(material, version)), materialId: materialIdOf(material) },
      contentUrl: `http://127.0.0.1:9/integration/download/media/session-${material}/${versionId}`,
      signature: code === 'invalid_signature' ? 'invalid' : 'valid',
      ...{ outcome, http, rc, code, rm: rc === 1 ? 'Saved successfully' : 'Not saved', steps },
      versionId: rc === 1 ? versionId : null,
      ms: 8 + Math.floor(next() * 40),
    })
  }
}

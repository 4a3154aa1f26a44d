import type { Database } from 'better-sqlite3'

import type { MaterialId, Sha256, SiteId, VersionId } from '../../contract/ids.ts'
import { mediaPath } from '../../contract/public-url.ts'
import type { MediaFile, VersionSummary } from '../../contract/version.ts'
import { cdateMs } from '../../contract/version.ts'
import type { Materials } from './materials.ts'

/** A version whose blobs have reached the disk. */
export interface NewVersion {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
  readonly versionCdate: string | null
  readonly receivedAt: string
  readonly userEmail: string | null
  readonly html: Sha256
  readonly state: Sha256
  readonly metadata: string | null
  readonly archiveSha256: Sha256
  readonly keptSha256: Sha256
  readonly sizeBytes: number
  readonly publicBase: string
  readonly warnings: readonly string[]
  readonly media: readonly { readonly name: string; readonly sha256: Sha256; readonly sizeBytes: number }[]
  /** Heading of the page: becomes the material's title while nobody has given it one. */
  readonly title: string | null
  readonly text: string
}

/** The blobs of one version that are not media. */
export interface VersionParts {
  readonly html: Sha256
  readonly state: Sha256
  readonly kept: Sha256
  readonly metadata: string | null
}

interface VersionRow {
  id: number
  site: string
  material_id: string
  version_id: string
  version_cdate: string | null
  received_at: string
  user_email: string | null
  html_sha256: string
  state_sha256: string
  archive_sha256: string
  kept_sha256: string
  metadata: string | null
  media_count: number
  size_bytes: number
  public_base: string
  warnings: string
  is_current: number
}

interface MediaRow {
  name: string
  sha256: string
  size_bytes: number
}

const selected = `SELECT v.*, m.site, m.material_id, v.id = m.current_version AS is_current
  FROM version v JOIN material m ON m.id = v.material`

/** The stored versions of all materials, newest first by (version_cdate, arrival). */
export function createVersions(db: Database, materials: Materials) {
  const byMaterial = db.prepare<[string, string], VersionRow>(
    `${selected} WHERE m.site = ? AND m.material_id = ? ORDER BY v.cdate_ms DESC, v.id DESC`,
  )
  const one = db.prepare<[string, string, string], VersionRow>(
    `${selected} WHERE m.site = ? AND m.material_id = ? AND v.version_id = ?`,
  )
  const current = db.prepare<[string, string], VersionRow>(
    `SELECT v.*, m.site, m.material_id, 1 AS is_current FROM material m JOIN version v ON v.id = m.current_version
     WHERE m.site = ? AND m.material_id = ?`,
  )
  const mediaOf = db.prepare<[number], MediaRow>(
    'SELECT name, sha256, size_bytes FROM media WHERE version = ? ORDER BY name',
  )
  const insert = db.prepare<Record<string, string | number | null>>(
    `INSERT INTO version (material, version_id, version_cdate, cdate_ms, received_at, user_email, html_sha256,
       state_sha256, metadata, archive_sha256, kept_sha256, media_count, size_bytes, public_base, warnings)
     VALUES (@material, @versionId, @versionCdate, @cdateMs, @receivedAt, @userEmail, @html,
       @state, @metadata, @archiveSha256, @keptSha256, @mediaCount, @sizeBytes, @publicBase, @warnings)`,
  )
  const insertMedia = db.prepare<[number, string, string, number]>(
    'INSERT INTO media (version, name, sha256, size_bytes) VALUES (?, ?, ?, ?)',
  )
  const makeCurrent = db.prepare<{ material: number; version: number }>(
    `UPDATE material SET version_count = version_count + 1,
       current_version = (SELECT id FROM version WHERE material = @material ORDER BY cdate_ms DESC, id DESC LIMIT 1),
       saved_at = (SELECT received_at FROM version WHERE material = @material ORDER BY cdate_ms DESC, id DESC LIMIT 1)
     WHERE id = @material
     RETURNING current_version = @version AS is_current`,
  )
  const nameByHeading = db.prepare<[string | null, number]>(
    'UPDATE material SET title = coalesce(?, title) WHERE id = ? AND title = material_id',
  )
  const indexText = db.prepare<[string, number]>(
    `INSERT OR REPLACE INTO material_text (rowid, title, material_id, tags, page)
     SELECT id, title, material_id, tags, ? FROM material WHERE id = ?`,
  )
  const servedMedia = db.prepare<[string, string, string], MediaRow>(
    'SELECT name, sha256, size_bytes FROM media WHERE sha256 >= ? AND sha256 < ? AND name = ? LIMIT 1',
  )

  const bases = db.prepare<[string], { public_base: string }>(
    `SELECT DISTINCT v.public_base FROM version v JOIN material m ON m.id = v.material WHERE m.site = ?`,
  )

  const media = (row: VersionRow): readonly MediaFile[] =>
    mediaOf.all(row.id).map((file) => ({
      name: file.name,
      sizeBytes: file.size_bytes,
      sha256: file.sha256 as Sha256,
      url: row.public_base + mediaPath(file.sha256 as Sha256, file.name),
    }))

  const toSummary = (row: VersionRow): VersionSummary => ({
    site: row.site as SiteId,
    materialId: row.material_id as MaterialId,
    versionId: row.version_id as VersionId,
    versionCdate: row.version_cdate,
    receivedAt: row.received_at,
    userEmail: row.user_email,
    mediaCount: row.media_count,
    sizeBytes: row.size_bytes,
    htmlSha256: row.html_sha256 as Sha256,
    archiveSha256: row.archive_sha256 as Sha256,
    keptSha256: row.kept_sha256 as Sha256,
    current: row.is_current === 1,
    warnings: JSON.parse(row.warnings) as string[],
    publicUrls: Object.fromEntries(media(row).map(({ name, url }) => [name, url])),
  })

  const toParts = (row: VersionRow): VersionParts => ({
    html: row.html_sha256 as Sha256,
    state: row.state_sha256 as Sha256,
    kept: row.kept_sha256 as Sha256,
    metadata: row.metadata,
  })

  return {
    list: (site: string, materialId: string): readonly VersionSummary[] =>
      byMaterial.all(site, materialId).map(toSummary),
    find(site: string, materialId: string, versionId: string): VersionSummary | null {
      const row = one.get(site, materialId, versionId)
      return row ? toSummary(row) : null
    },
    parts(site: string, materialId: string, versionId: string): VersionParts | null {
      const row = one.get(site, materialId, versionId)
      return row ? toParts(row) : null
    },
    /** The parts of the current version, or null when nothing was saved yet. */
    currentParts(site: string, materialId: string): VersionParts | null {
      const row = current.get(site, materialId)
      return row ? toParts(row) : null
    },
    media(site: string, materialId: string, versionId: string): readonly MediaFile[] {
      const row = one.get(site, materialId, versionId)
      return row ? media(row) : []
    },
    /** The media blob behind a public URL: the first 32 hex digits of its hash, and a name it is stored under. */
    mediaByAddress(hashStart: string, name: string): { sha256: Sha256; sizeBytes: number } | null {
      const row = servedMedia.get(hashStart, `${hashStart}g`, name)
      return row ? { sha256: row.sha256 as Sha256, sizeBytes: row.size_bytes } : null
    },
    /** Every public address that versions of a site were stored under. */
    publicBases: (site: string): readonly string[] => bases.all(site).map((row) => row.public_base),
    /** Part of a larger transaction: writes the version, its media, its material's state and its search document. */
    add(version: NewVersion): void {
      const material = materials.ensure(version.site, version.materialId)
      const { lastInsertRowid } = insert.run({
        material,
        versionId: version.versionId,
        versionCdate: version.versionCdate,
        cdateMs: cdateMs(version.versionCdate) ?? Date.parse(version.receivedAt),
        receivedAt: version.receivedAt,
        userEmail: version.userEmail,
        html: version.html,
        state: version.state,
        metadata: version.metadata,
        archiveSha256: version.archiveSha256,
        keptSha256: version.keptSha256,
        mediaCount: version.media.length,
        sizeBytes: version.sizeBytes,
        publicBase: version.publicBase,
        warnings: JSON.stringify(version.warnings),
      })
      const id = Number(lastInsertRowid)
      for (const { name, sha256, sizeBytes } of version.media) insertMedia.run(id, name, sha256, sizeBytes)
      const updated = makeCurrent.get({ material, version: id }) as { is_current: number } | undefined
      if (updated?.is_current !== 1) return
      nameByHeading.run(version.title, material)
      indexText.run(version.text, material)
    },
  }
}

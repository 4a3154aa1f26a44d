import type { Database } from 'better-sqlite3'

import type { MaterialId, Sha256, SiteId, VersionId } from '../../contract/ids.ts'
import { mediaPath, readMediaUrl } from '../../contract/public-url.ts'
import type { MediaFile, VersionSummary } from '../../contract/version.ts'
import { cdateMs } from '../../contract/version.ts'
import type { Materials } from './materials.ts'
import { sortKey } from './sort-key.ts'
import type { FactsRow } from './version-facts.ts'
import { versionFacts } from './version-facts.ts'

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

interface VersionRow extends FactsRow {
  id: number
  site: string
  material_id: string
  html_sha256: string
  state_sha256: string
  archive_sha256: string
  kept_sha256: string
  metadata: string | null
  public_base: string
  warnings: string
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
  const grow = db.prepare<[number, number]>(
    'UPDATE material SET version_count = version_count + 1, total_bytes = total_bytes + ? WHERE id = ?',
  )
  const makeCurrent = db.prepare<{ material: number }, { current_version: number }>(
    `UPDATE material SET current_version = v.id, saved_at = v.received_at, editor = v.user_email,
       status = coalesce(v.verdict, 'saved')
     FROM (SELECT id, received_at, user_email, verdict FROM version WHERE material = @material
       ORDER BY cdate_ms DESC, id DESC LIMIT 1) v
     WHERE material.id = @material RETURNING current_version`,
  )
  const nameByHeading = db.prepare<[string, string, number]>(
    'UPDATE material SET title = ?, title_key = ? WHERE id = ? AND title = material_id',
  )
  const servedMedia = db.prepare<[string, string, string], MediaRow>(
    'SELECT name, sha256, size_bytes FROM media WHERE sha256 >= ? AND sha256 < ? AND name = ? LIMIT 1',
  )
  const mediaOfSite = db.prepare<[string, string, string, string], MediaRow>(
    `SELECT f.name, f.sha256, f.size_bytes FROM media f
       CROSS JOIN version v ON v.id = f.version CROSS JOIN material m ON m.id = v.material
     WHERE f.sha256 >= ? AND f.sha256 < ? AND f.name = ? AND m.site = ? LIMIT 1`,
  )

  const mediaOfMaterial = db.prepare<[string, string, string, string, string], MediaRow>(
    `SELECT f.name, f.sha256, f.size_bytes FROM media f JOIN version v ON v.id = f.version JOIN material m ON m.id = v.material
     WHERE f.sha256 >= ? AND f.sha256 < ? AND f.name = ? AND m.site = ? AND m.material_id = ? LIMIT 1`,
  )
  const htmlNamed = db.prepare<[string], { yes: number }>('SELECT 1 AS yes FROM version WHERE html_sha256 = ? LIMIT 1')

  const bases = db.prepare<[string], { public_base: string }>(
    `SELECT DISTINCT v.public_base FROM version v JOIN material m ON m.id = v.material WHERE m.site = ?`,
  )

  /** By site, since the versions of a site are many and their bases few; what another process adds is read anew. */
  const knownBases = new Map<string, Set<string>>()
  let knownAt: unknown = null
  const basesOf = (site: string): Set<string> => {
    const now = db.pragma('data_version', { simple: true })
    if (now !== knownAt) knownBases.clear()
    knownAt = now
    const known = knownBases.get(site) ?? new Set(bases.all(site).map((row) => row.public_base))
    knownBases.set(site, known)
    return known
  }

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
    ...versionFacts(row),
    htmlSha256: row.html_sha256 as Sha256,
    archiveSha256: row.archive_sha256 as Sha256,
    keptSha256: row.kept_sha256 as Sha256,
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
    /** The file behind a media URL, if some version of this material brought it. */
    mediaOfMaterial(site: string, materialId: string, url: string): MediaFile | null {
      const { hashStart, name } = readMediaUrl(url) ?? { hashStart: '', name: '' }
      const row = mediaOfMaterial.get(hashStart, `${hashStart}g`, name, site, materialId)
      return row ? { name, sizeBytes: row.size_bytes, sha256: row.sha256 as Sha256, url } : null
    },
    /** Whether some version has this page. */
    hasPage: (html: string): boolean => htmlNamed.get(html) !== undefined,
    /** The same, of one site's own versions only. */
    mediaOfSite(site: string, hashStart: string, name: string): { sha256: Sha256; sizeBytes: number } | null {
      const row = mediaOfSite.get(hashStart, `${hashStart}g`, name, site)
      return row ? { sha256: row.sha256 as Sha256, sizeBytes: row.size_bytes } : null
    },
    /** Part of a larger transaction: what a material says of its current version, read again after a change. */
    refreshMaterial: (material: number): void => void makeCurrent.get({ material }),
    /** Every public address that versions of a site were stored under. */
    publicBases: (site: string): readonly string[] => [...basesOf(site)],
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
      knownBases.get(version.site)?.add(version.publicBase)
      const id = Number(lastInsertRowid)
      for (const { name, sha256, sizeBytes } of version.media) insertMedia.run(id, name, sha256, sizeBytes)
      grow.run(version.sizeBytes, material)
      if (makeCurrent.get({ material })?.current_version !== id) return
      if (version.title !== null) nameByHeading.run(version.title, sortKey(version.title), material)
      materials.index(material, version.text)
    },
  }
}

export type Versions = ReturnType<typeof createVersions>

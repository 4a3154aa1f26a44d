import type { MaterialId, Sha256, SiteId } from '@galley/wire'
import { hashStart, mediaPath, readMediaUrl } from '@galley/wire'

import type { MediaFile } from '../../records/version.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { isReferring, referringSql } from '../file/referring-texts.ts'

interface MediaRow {
  name: string
  sha256: Sha256
  size_bytes: number
}

/** The columns of a version that identify its files. */
interface Owner {
  readonly id: number
  readonly public_base: string
}

/** The identity of a file in a media URL: the first 32 hex digits of its hash, and its name. */
interface Address {
  readonly start: string
  readonly name: string
}

/**
 * Selects the files of earlier saves that a version's page, state or style sheets name, directly or through another
 * style sheet. `@version` is the row.
 */
export const referredSql = `WITH RECURSIVE named (hash_start, name) AS (
    SELECT hash_start, name FROM media_reference WHERE version = @version
    UNION SELECT r.hash_start, r.name FROM media o CROSS JOIN style_reference r ON r.sheet = o.sha256 WHERE o.version = @version
    UNION SELECT r.hash_start, r.name FROM named n
      CROSS JOIN style_reference r ON r.sheet >= n.hash_start AND r.sheet < n.hash_start || 'g'
  ) SELECT f.name, f.sha256 FROM named n
    CROSS JOIN media_file f ON f.sha256 >= n.hash_start AND f.sha256 < n.hash_start || 'g' AND f.name = n.name
  WHERE NOT EXISTS (SELECT 1 FROM media o WHERE o.version = @version AND o.sha256 = f.sha256 AND o.name = f.name)`

/** The media files of versions, and the files behind their addresses. */
export function createVersionMedia(db: ReadHandle) {
  const mediaOf = db.prepare<[number], MediaRow>(
    'SELECT name, sha256, size_bytes FROM media WHERE version = ? ORDER BY name',
  )
  const mediaOfMaterial = db.prepare<[string, string], MediaRow & Owner>(
    `SELECT v.id, v.public_base, f.name, f.sha256, f.size_bytes
     FROM material m CROSS JOIN version v ON v.material = m.id CROSS JOIN media f ON f.version = v.id
     WHERE m.site = ? AND m.material_id = ?`,
  )
  const referredOf = db.prepare<{ version: number }, MediaRow>(
    `SELECT f.name, f.sha256, b.size_bytes FROM (${referredSql}) f CROSS JOIN blob b ON b.sha256 = f.sha256 ORDER BY f.name`,
  )
  const served = db.prepare<Address, MediaRow>(
    `SELECT f.name, f.sha256, b.size_bytes FROM media_file f JOIN blob b ON b.sha256 = f.sha256
     WHERE f.sha256 >= @start AND f.sha256 < @start || 'g' AND f.name = @name LIMIT 1`,
  )
  const ofSite = `CROSS JOIN version v ON v.id = f.version CROSS JOIN material m ON m.id = v.material WHERE m.site = @site`
  // The version that brought a file may be deleted while another version still shows it.
  const isOfSite = db.prepare<Address & { site: SiteId }, { yes: number }>(
    `${referringSql}
     SELECT 1 AS yes FROM naming n CROSS JOIN media f ON ${isReferring('f')} ${ofSite}
     UNION ALL SELECT 1 FROM naming n CROSS JOIN media_reference f
       ON f.hash_start = n.hash_start AND f.name = coalesce(n.name, f.name) ${ofSite}
     UNION ALL SELECT 1 FROM naming n CROSS JOIN snapshot s
       ON (s.css_sha256 >= n.hash_start AND s.css_sha256 < n.hash_start || 'g')
         OR (s.tree_sha256 >= n.hash_start AND s.tree_sha256 < n.hash_start || 'g')
       WHERE n.name IS NULL AND s.site = @site LIMIT 1`,
  )

  const known = db.prepare<[], { name: string; sha256: Sha256 }>('SELECT name, sha256 FROM media_file')

  const toFile =
    ({ public_base }: Owner) =>
    ({ name, sha256, size_bytes: sizeBytes }: MediaRow): MediaFile => ({
      name,
      sizeBytes,
      sha256,
      url: public_base + mediaPath(sha256, name),
    })

  return {
    /** The files in a version's archive. */
    broughtBy: (version: Owner): readonly MediaFile[] => mediaOf.all(version.id).map(toFile(version)),
    /** The files in the archives of a material's versions, by version row. */
    broughtByAll(site: SiteId, materialId: MaterialId): ReadonlyMap<number, readonly MediaFile[]> {
      const files = new Map<number, MediaFile[]>()
      for (const row of mediaOfMaterial.iterate(site, materialId)) {
        const ofVersion = files.get(row.id)
        if (ofVersion) ofVersion.push(toFile(row)(row))
        else files.set(row.id, [toFile(row)(row)])
      }
      return files
    },
    /** Files of earlier saves that a version's page, state or style sheets use. */
    referredBy: (version: Owner): readonly MediaFile[] => referredOf.all({ version: version.id }).map(toFile(version)),
    /** The files that versions and font sets of a site brought or use. */
    allOfSite: (site: SiteId): readonly { readonly name: string; readonly sha256: Sha256 }[] =>
      known.all().filter(({ name, sha256 }) => isOfSite.get({ site, start: hashStart(sha256), name })),
    /** The media blob of a public URL, by the first 32 hex digits of its hash and a name. */
    byAddress(hashStart: string, name: string): { sha256: Sha256; sizeBytes: number } | null {
      const row = served.get({ start: hashStart, name })
      return row ? { sha256: row.sha256, sizeBytes: row.size_bytes } : null
    },
    /** The file of a media URL, if a version of this site brought or uses it. */
    ofSite(site: SiteId, url: string): MediaFile | null {
      const { hashStart: start, name } = readMediaUrl(url) ?? { hashStart: '', name: '' }
      const row = isOfSite.get({ site, start, name }) && served.get({ start, name })
      return row ? { name, sizeBytes: row.size_bytes, sha256: row.sha256, url } : null
    },
  }
}

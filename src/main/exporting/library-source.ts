import type { BundlePage } from '../../contract/bundle/layout.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { currentFontsCssPath } from '../../contract/public-url.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Site } from '../../contract/site.ts'
import { publicBase } from '../../contract/site.ts'
import type { Index } from '../db/library-index.ts'
import type { Vault } from '../vault/vault.ts'
import type { BundleSource } from './source.ts'

/** Which versions go into a bundle: of all materials or some, each the current one unless another is pinned. */
export interface Choice {
  /** Empty for all that were ever saved and are not archived. */
  readonly materials: readonly string[]
  readonly pins: ReadonlyMap<string, string>
}

/** A material or version was asked for that the library does not have. */
export interface UnknownChoice {
  readonly kind: 'unknown_material' | 'unknown_version'
  readonly name: string
}

/** The library as an export sees it. */
export function librarySource(
  index: Index,
  vault: Vault,
  site: Site,
  { materials, pins }: Choice,
): Result<BundleSource, UnknownChoice> {
  const all = index.materials.listByArrival(site.id)
  const known = new Set<string>(all.map(({ materialId }) => materialId))
  const unknown = [...materials, ...pins.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) return fail({ kind: 'unknown_material', name: unknown })

  const wantedMaterials = new Set(materials)
  const pages: BundlePage[] = []
  for (const { materialId, title, slug, currentVersionId, archivedAt } of all) {
    const isWanted =
      materials.length > 0 ? wantedMaterials.has(materialId) : archivedAt === null || pins.has(materialId)
    if (!isWanted) continue
    const wanted = pins.get(materialId) ?? currentVersionId
    if (wanted === null) continue
    const version = index.versions.find(site.id, materialId, wanted)
    if (!version) return fail({ kind: 'unknown_version', name: wanted })
    const { versionId, versionCdate, receivedAt, htmlSha256: html } = version
    const media = index.versions.media(site.id, materialId, versionId)
    pages.push({ materialId, title, slug, version: { versionId, versionCdate, receivedAt, html, media } })
  }

  const publicBases = [...new Set([publicBase(site), ...index.versions.publicBases(site.id)])]
  const fonts = index.snapshots.newest(site.id)
  return ok({
    site: { id: site.id, name: site.name, publicBases },
    pages,
    fonts: fonts && {
      css: fonts.css,
      cssUrls: [fonts.cssUrl, ...publicBases.map((base) => base + currentFontsCssPath(site.id))],
      files: fonts.fontFiles,
    },
    mediaAt(url) {
      const base = publicBases.find((each) => url.startsWith(`${each}/media/`))
      return base === undefined ? null : index.versions.mediaOfSite(site.id, url)
    },
    openBlob(blob: Sha256) {
      const place = index.blobs.find(blob)
      if (!place) throw new Error('A page names a file that the index does not')
      return vault.read(place)
    },
  })
}

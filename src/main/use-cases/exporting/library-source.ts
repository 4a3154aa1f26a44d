import type { BundlePage } from '../../../contract/domain/bundle/layout.ts'
import type { LeftOut } from '../../../contract/domain/outgoing.ts'
import { pageDefaults, publishingDefaults } from '../../../contract/domain/site-model.ts'
import { plainName } from '../../../contract/domain/bundle/slug.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import { currentFontsCssPath } from '../../../contract/protocol/public-url.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Site } from '../../../contract/domain/site.ts'
import { publicBase } from '../../../contract/domain/site.ts'
import type { VersionSummary } from '../../../contract/domain/version.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { BundleSource } from './source.ts'

/** Which versions go into a bundle: of all materials or some, each the one that goes out by the site's rule unless one is pinned. */
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

/** The library as an export sees it, and what became of the versions that it could hold. */
export interface LibrarySource extends BundleSource {
  readonly leftOut: readonly LeftOut[]
  /** Rejected versions that go out because they are pinned. */
  readonly rejectedPins: readonly Pick<LeftOut, 'materialId' | 'versionId'>[]
}

/** Chooses the versions of an export. The one place that decides what goes out of a library. */
export function librarySource(
  index: Index,
  vault: Vault,
  site: Site,
  { materials, pins }: Choice,
): Result<LibrarySource, UnknownChoice> {
  const all = index.materials.listByArrival(site.id)
  const known = new Set<string>(all.map(({ materialId }) => materialId))
  const unknown = [...materials, ...pins.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) return fail({ kind: 'unknown_material', name: unknown })

  const wantedMaterials = new Set(materials)
  /** What somebody called the material; where nobody has, it was named by a heading, and readers see that of this version. */
  const shownTitle = (title: string, { materialId, heading }: VersionSummary): string => {
    const isGiven = title !== materialId && !index.versions.hasHeading(site.id, materialId, title)
    return isGiven ? title : (heading ?? title)
  }

  const publishing = index.publishing.of(site.id)
  const pages: BundlePage[] = []
  const leftOut: LeftOut[] = []
  const rejectedPins: LibrarySource['rejectedPins'][number][] = []
  for (const { materialId, title, slug, currentVersionId, archivedAt } of all) {
    if (materials.length > 0 && !wantedMaterials.has(materialId)) continue
    const pinned = pins.get(materialId)
    if (materials.length === 0 && archivedAt !== null && pinned === undefined) {
      if (currentVersionId !== null)
        leftOut.push({ materialId, title, versionId: currentVersionId, reason: 'archived', insteadVersionId: null })
      continue
    }
    const outgoing = index.publishing.outgoingVersion(site.id, materialId, publishing)
    if (pinned === undefined && currentVersionId !== null && outgoing !== currentVersionId) {
      const isRejected = index.versions.find(site.id, materialId, currentVersionId)?.verdict === 'rejected'
      const reason = isRejected ? 'rejected' : 'not_approved'
      leftOut.push({ materialId, title, versionId: currentVersionId, reason, insteadVersionId: outgoing })
    }
    const wanted = pinned ?? outgoing
    if (wanted === null) continue
    const version = index.versions.find(site.id, materialId, wanted)
    if (!version) return fail({ kind: 'unknown_version', name: wanted })
    const { versionId, versionCdate, receivedAt, verdict, htmlSha256: html } = version
    const media = index.versions.media(site.id, materialId, versionId)
    pages.push({
      materialId,
      title: shownTitle(title, version),
      // Without a slug the title makes the address, which stays where a heading changes.
      slug: plainName(slug) === '' ? title : slug,
      settings: pageDefaults,
      version: { versionId, versionCdate, receivedAt, html, media, verdict },
    })
    if (pinned !== undefined && verdict === 'rejected') rejectedPins.push({ materialId, versionId })
  }

  const publicBases = [...new Set([publicBase(site), ...index.versions.publicBases(site.id)])]
  const fonts = index.snapshots.newest(site.id)
  return ok({
    site: { id: site.id, name: site.name, publishing: { ...publishingDefaults, ...publishing }, publicBases },
    pages,
    leftOut,
    rejectedPins,
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

import type { BundlePage } from '../../../contract/domain/bundle/layout.ts'
import type { LeftOut, LeftOutReason } from '../../../contract/domain/outgoing.ts'
import type { PageSettings, SitePublishing } from '../../../contract/domain/site-model.ts'
import { pageDefaults } from '../../../contract/domain/site-model.ts'
import type { MaterialId, Sha256, VersionId } from '../../../contract/ids.ts'
import { currentFontsCssPath } from '../../../contract/protocol/public-url.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { MaterialSummary } from '../../../contract/domain/material.ts'
import type { Site } from '../../../contract/domain/site.ts'
import { publicBase } from '../../../contract/domain/site.ts'
import type { VersionSummary } from '../../../contract/domain/version.ts'
import { versionMoment } from '../../../contract/domain/version.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { BundleSource } from './source.ts'

/** The versions for a bundle: of all or some materials, the outgoing version by the site's rule unless one is pinned. */
export interface Choice {
  /** Empty for all that were ever saved and are not archived. */
  readonly materials: readonly string[]
  readonly pins: ReadonlyMap<string, string>
  /** The moment of this publication: pages that were never published are published since then. */
  readonly at: Date
  /** Addresses that the target shows already, by material; see `earlierAddresses`. */
  readonly earlier?: ReadonlyMap<string, string>
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
  /** Rejected versions that go out because the site lets them. */
  readonly rejectedByRule: readonly Pick<LeftOut, 'materialId' | 'versionId'>[]
  /** The home page that the site wants, and that is not among the pages. */
  readonly missingHome: MaterialId | null
  /** The pages that were never published, and since when they are once this bundle is. */
  readonly firstPublished: readonly { readonly materialId: MaterialId; readonly at: string }[]
}

type Chosen =
  | { readonly kind: 'goes'; readonly versionId: VersionId | null; readonly leftOut: LeftOut | null }
  | { readonly kind: 'stays'; readonly leftOut: LeftOut | null }

/** Chooses the versions of an export. The one place that decides what goes out of a library. */
export function librarySource(
  index: Index,
  vault: Vault,
  site: Site,
  choice: Choice,
): Result<LibrarySource, UnknownChoice> {
  const { materials, pins, at, earlier = new Map<string, string>() } = choice
  const all = index.materials.listByArrival(site.id)
  const known = new Set<string>(all.map(({ materialId }) => materialId))
  const unknown = [...materials, ...pins.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) return fail({ kind: 'unknown_material', name: unknown })

  const publishing = index.publishing.of(site.id)
  const settingsOf = index.pages.settings(site.id)
  const addresses = index.pages.addressesOf(site.id, earlier)
  const choose = createChooser(index, publishing, choice)
  const pages: BundlePage[] = []
  const leftOut: LeftOut[] = []
  const rejectedPins: LibrarySource['rejectedPins'][number][] = []
  const rejectedByRule: LibrarySource['rejectedByRule'][number][] = []
  const firstPublished: LibrarySource['firstPublished'][number][] = []
  for (const material of all) {
    const { materialId, title, slug } = material
    const settings = settingsOf.get(materialId) ?? pageDefaults
    const chosen = choose(material, settings)
    if (chosen.leftOut !== null) leftOut.push(chosen.leftOut)
    if (chosen.kind === 'stays' || chosen.versionId === null) continue
    const found = index.versions.withMedia(site.id, materialId, chosen.versionId)
    if (!found) return fail({ kind: 'unknown_version', name: chosen.versionId })
    const { version, media } = found
    const { versionId, versionCdate, receivedAt, verdict, htmlSha256: html } = version
    // What readers saw before anybody wrote moments down was the date of the version.
    const first = earlier.has(materialId) ? versionMoment(version) : at.toISOString()
    if (settings.published === null) firstPublished.push({ materialId, at: first })
    const path = addresses.get(materialId) ?? null
    pages.push({
      materialId,
      title: shownTitle(index, title, version),
      slug,
      settings: { ...settings, path, published: settings.published ?? first },
      version: { versionId, versionCdate, receivedAt, html, media, verdict },
    })
    if (verdict === 'rejected') (pins.has(materialId) ? rejectedPins : rejectedByRule).push({ materialId, versionId })
  }

  const { home } = publishing
  const missingHome = home === 'listing' || pages.some(({ materialId }) => materialId === home) ? null : home
  const rejected = { rejectedPins, rejectedByRule }
  const held = new Set(pages.map(({ materialId }) => materialId))
  const withheld = all.map(({ materialId }) => materialId).filter((materialId) => !held.has(materialId))
  return ok({
    ...stored(index, vault, site, { publishing, withheld }),
    ...rejected,
    pages,
    leftOut,
    missingHome,
    firstPublished,
  })
}

/** The title that a person gave. Otherwise the material was named by a heading; use that of this version. */
function shownTitle(index: Index, title: string, { site, materialId, heading }: VersionSummary): string {
  // The usual case, which asks nothing of the index.
  if (title === heading) return title
  const isGiven = title !== materialId && !index.versions.hasHeading(site, materialId, title)
  return isGiven ? title : (heading ?? title)
}

/** Decides for each material whether it goes out, which version of it, and why not another one. */
function createChooser(index: Index, { outgoing: rule }: SitePublishing, { materials, pins, at }: Choice) {
  const wanted = new Set(materials)

  /** Why the material as a whole stays in the library. A pin chooses a version; it publishes no draft. */
  function reasonToStay(
    { archivedAt }: MaterialSummary,
    settings: PageSettings,
    isPinned: boolean,
  ): LeftOutReason | null {
    if (materials.length === 0 && archivedAt !== null && !isPinned) return 'archived'
    if (settings.state === 'draft') return 'draft'
    return settings.notBefore !== null && Date.parse(settings.notBefore) > at.getTime() ? 'scheduled' : null
  }

  return (material: MaterialSummary, settings: PageSettings): Chosen => {
    const { site, materialId, title, currentVersionId } = material
    if (materials.length > 0 && !wanted.has(materialId)) return { kind: 'stays', leftOut: null }
    const pin = pins.get(materialId)
    const left = (reason: LeftOutReason, insteadVersionId: VersionId | null): LeftOut | null =>
      currentVersionId && { materialId, title, versionId: currentVersionId, reason, insteadVersionId }
    const reason = reasonToStay(material, settings, pin !== undefined)
    if (reason !== null) return { kind: 'stays', leftOut: left(reason, null) }
    // Somebody named this version just now, and it exists or the export fails.
    if (pin !== undefined) return { kind: 'goes', versionId: pin as VersionId, leftOut: null }
    const versionId = index.publishing.outgoingVersion(site, materialId, rule, settings.version)
    if (currentVersionId === null || versionId === currentVersionId) return { kind: 'goes', versionId, leftOut: null }
    const isRejected = index.versions.find(site, materialId, currentVersionId)?.verdict === 'rejected'
    const isChosen = settings.version !== 'latest' && settings.version !== 'approved' && versionId !== null
    return {
      kind: 'goes',
      versionId,
      leftOut: left(isChosen ? 'pinned' : isRejected ? 'rejected' : 'not_approved', versionId),
    }
  }
}

/** Names, fonts and bytes of a site. */
function stored(
  index: Index,
  vault: Vault,
  site: Site,
  { publishing, withheld }: Pick<BundleSource['site'], 'publishing' | 'withheld'>,
): Omit<BundleSource, 'pages'> {
  const publicBases = [...new Set([publicBase(site), ...index.versions.publicBases(site.id)])]
  const fonts = index.snapshots.newest(site.id)
  return {
    cacheFolder: vault.derivedFolder,
    site: { id: site.id, name: site.name, publishing, publicBases, withheld },
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
  }
}

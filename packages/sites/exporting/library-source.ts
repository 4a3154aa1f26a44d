import type { IndexReads, Vault } from '@galley/library'
import type {
  LeftOut,
  LeftOutReason,
  MaterialSummary,
  PageSettings,
  Site,
  SitePublishing,
  VersionSummary,
} from '@galley/library/records'
import { pageDefaults, publicBase, versionMoment } from '@galley/library/records'
import { blobChunks, inSlices } from '@galley/platform'
import type { MaterialId, Result, VersionId } from '@galley/wire'
import { currentFontsCssPath, fail, ok, shownTitle } from '@galley/wire'

import type { BundlePage } from '../bundle/layout.ts'
import type { BundleSource } from './source.ts'

/**
 * Which versions go into a bundle: of all or some materials, the version that the site's rule selects unless one is
 * pinned.
 */
export interface Choice {
  /** Empty for every material that was ever saved and is not archived. */
  readonly materials: readonly string[]
  readonly pins: ReadonlyMap<string, string>
  /** A page that a preview includes even if a rule holds it back. */
  readonly even?: MaterialId
  /** The time of this publication: the publication date of pages that were never published before. */
  readonly at: Date
}

/** The caller asked for a material or version that the library does not have. */
export type UnknownChoice =
  | { readonly code: 'unknown_material'; readonly materialId: string }
  | { readonly code: 'unknown_version'; readonly versionId: string }

/** The library as an export sees it, and which versions were left out. */
export interface LibrarySource extends BundleSource {
  readonly leftOut: readonly LeftOut[]
  /** Rejected versions that are included because they are pinned. */
  readonly rejectedPins: readonly Pick<LeftOut, 'materialId' | 'versionId'>[]
  /** Rejected versions that are included because the site allows it. */
  readonly rejectedByRule: readonly Pick<LeftOut, 'materialId' | 'versionId'>[]
  /** The home page chosen for the site, if it is not among the pages. */
  readonly missingHome: MaterialId | null
  /** Pages that were never published, with the date that this bundle gives them, and the moment of their version. */
  readonly firstPublished: readonly { readonly materialId: MaterialId; readonly at: string; readonly saved: string }[]
}

/** What a bundle left out, and what its publisher should know. */
export type Choices = Pick<LibrarySource, 'leftOut' | 'rejectedPins' | 'rejectedByRule' | 'missingHome'> & {
  readonly baseUrl: string | null
}

type Chosen =
  | { readonly kind: 'included'; readonly versionId: VersionId | null; readonly leftOut: LeftOut | null }
  | { readonly kind: 'left-out'; readonly leftOut: LeftOut | null }

/**
 * Selects the versions of an export; no other code decides what leaves a library. Runs in slices, because sites are
 * large: a page that is saved meanwhile is exported in its old or its new version.
 */
export const librarySource = (
  ...args: Parameters<typeof chooseInSteps>
): Promise<Result<LibrarySource, UnknownChoice>> => inSlices(chooseInSteps(...args))

/** Selects in steps of one material each. */
function* chooseInSteps(
  index: IndexReads,
  vault: Vault,
  site: Site,
  choice: Choice,
): Generator<undefined, Result<LibrarySource, UnknownChoice>> {
  const { materials, pins, at } = choice
  const all = index.materials.listByArrival(site.id)
  const known = new Set<string>(all.map(({ materialId }) => materialId))
  const unknown = [...materials, ...pins.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) return fail({ code: 'unknown_material', materialId: unknown })

  const publishing = index.publishing.of(site.id)
  const settingsOf = index.pages.settings(site.id)
  const addresses = index.pages.addressesOf(site.id)
  const choose = createChooser(index, publishing, choice)
  const pages: BundlePage[] = []
  const leftOut: LeftOut[] = []
  const rejectedPins: LibrarySource['rejectedPins'][number][] = []
  const rejectedByRule: LibrarySource['rejectedByRule'][number][] = []
  const firstPublished: LibrarySource['firstPublished'][number][] = []
  for (const material of all) {
    yield
    const { materialId, title, slug } = material
    const settings = settingsOf.get(materialId) ?? pageDefaults
    const chosen = choose(material, settings)
    if (chosen.leftOut !== null) leftOut.push(chosen.leftOut)
    if (chosen.kind === 'left-out' || chosen.versionId === null) continue
    const found = index.versions.withMedia(site.id, materialId, chosen.versionId)
    if (!found) return fail({ code: 'unknown_version', versionId: chosen.versionId })
    const { version, media } = found
    const { versionId, versionCdate, receivedAt, verdict, htmlSha256: html } = version
    const first = at.toISOString()
    const saved = versionMoment(version)
    if (settings.published === null || settings.firstSaved === null)
      firstPublished.push({ materialId, at: first, saved })
    const path = addresses.get(materialId) ?? null
    pages.push({
      materialId,
      title: shownTitle(titleOf(index, title, version)),
      slug,
      settings: { ...settings, path, published: settings.published ?? first, firstSaved: settings.firstSaved ?? saved },
      version: { versionId, versionCdate, receivedAt, html, media, verdict: verdict?.decision ?? null },
    })
    if (verdict?.decision === 'changes_requested')
      (pins.has(materialId) ? rejectedPins : rejectedByRule).push({ materialId, versionId })
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

/**
 * The title that a person gave. Otherwise the material has the title of a heading, and the heading of this version is
 * used.
 */
function titleOf(index: IndexReads, title: string, { site, materialId, heading }: VersionSummary): string {
  // The usual case, which needs no query.
  if (title === heading) return title
  const isGiven = title !== materialId && !index.versions.hasHeading(site, materialId, title)
  return isGiven ? title : (heading ?? title)
}

/** Decides for each material whether it is included, which version is used, and why another one is not. */
function createChooser(index: IndexReads, { outgoing: rule }: SitePublishing, { materials, pins, even, at }: Choice) {
  const wanted = new Set(materials)

  /** Why the whole material is left out. A pin selects a version; it does not publish a draft. */
  function reasonToStay(
    { archivedAt }: MaterialSummary,
    settings: PageSettings,
    isPinned: boolean,
  ): LeftOutReason | null {
    if (materials.length === 0 && archivedAt !== null && !isPinned) return 'archived'
    if (settings.state === 'draft') return 'draft'
    return settings.notBefore !== null && Date.parse(settings.notBefore) > at.getTime() ? 'scheduled' : null
  }

  return function chosenOf(material: MaterialSummary, settings: PageSettings): Chosen {
    const { site, materialId, title, currentVersionId } = material
    if (materials.length > 0 && !wanted.has(materialId)) return { kind: 'left-out', leftOut: null }
    const pin = pins.get(materialId)
    const left = (reason: LeftOutReason, insteadVersionId: VersionId | null): LeftOut | null =>
      currentVersionId && { materialId, title, versionId: currentVersionId, reason, insteadVersionId }
    const reason = materialId === even ? null : reasonToStay(material, settings, pin !== undefined)
    if (reason !== null) return { kind: 'left-out', leftOut: left(reason, null) }
    // The caller pinned this version. It exists, or the export fails.
    if (pin !== undefined) return { kind: 'included', versionId: pin, leftOut: null }
    const versionId = index.publishing.outgoingVersion(site, materialId, rule, settings.version)
    if (currentVersionId === null || versionId === currentVersionId)
      return { kind: 'included', versionId, leftOut: null }
    // It may have been saved or deleted since the list was read, several slices ago.
    const now = index.materials.find(site, materialId)
    if (now === null) return { kind: 'left-out', leftOut: null }
    if (now.currentVersionId !== currentVersionId) return chosenOf(now, settings)
    const isRejected =
      index.versions.find(site, materialId, currentVersionId)?.verdict?.decision === 'changes_requested'
    const isChosen = settings.version !== 'latest' && settings.version !== 'approved' && versionId !== null
    return {
      kind: 'included',
      versionId,
      leftOut: left(isChosen ? 'pinned' : isRejected ? 'rejected' : 'not_approved', versionId),
    }
  }
}

/** The stored files of a library. */
export const blobsOf = ({ index, vault }: BlobPorts): Pick<BundleSource, 'openBlob'> => ({
  async *openBlob(blob) {
    const slice = index.blobs.find(blob)
    if (!slice) throw new Error('A page names a file that the index does not')
    yield* blobChunks(await vault.locate(slice))
  },
})

interface BlobPorts {
  readonly index: Pick<IndexReads, 'blobs'>
  readonly vault: Pick<Vault, 'locate'>
}

/** Names, fonts and file contents of a site. */
function stored(
  index: IndexReads,
  vault: Vault,
  site: Site,
  { publishing, withheld }: Pick<BundleSource['site'], 'publishing' | 'withheld'>,
): Omit<BundleSource, 'pages'> {
  const publicBases = [...new Set([publicBase(site), ...index.versions.publicBases(site.id)])]
  const fonts = index.snapshots.newest(site.id)
  return {
    ...blobsOf({ index, vault }),
    cacheFolder: vault.derivedFolder,
    site: {
      id: site.id,
      name: site.name,
      publishing,
      publicBases,
      withheld,
      tagFolders: index.pages.tagFolders(site.id),
      hasChosenHome: index.publishing.hasChosenHome(site.id),
    },
    fonts: fonts && {
      css: fonts.css,
      cssUrls: [fonts.cssUrl, ...publicBases.map((base) => base + currentFontsCssPath(site.id))],
      files: fonts.fontFiles,
    },
    mediaAt(url) {
      if (!publicBases.some((base) => url.startsWith(`${base}/`))) return null
      return index.versions.mediaOfSite(site.id, url) ?? index.snapshots.fileAt(site.id, url)
    },
  }
}

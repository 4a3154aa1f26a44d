import type {
  MediaFile,
  PageNote,
  PageSettings,
  SitePage,
  SitePublishing,
  TimeZone,
  VerdictKind,
} from '@galley/library/records'
import {
  addressesOf,
  bundleFileName,
  bundlePath,
  compare,
  formerFiles,
  isHttpUrl,
  isRasterImage,
  pageFile,
  redirectFile,
  redirectParts,
  textDirection,
  timeZone,
  versionMoment,
} from '@galley/library/records'
import type { MaterialId, PageFacts, Sha256, SiteId, VersionId } from '@galley/wire'
import { cutAtWord } from '@galley/wire'

import { writtenKey } from './written-file.ts'

/** The version of a material that is in the bundle. */
export interface BundlePage {
  readonly materialId: MaterialId
  readonly title: string
  readonly slug: string
  readonly settings: PageSettings
  readonly version: {
    readonly versionId: VersionId
    readonly versionCdate: string | null
    readonly receivedAt: string
    readonly html: Sha256
    readonly media: readonly MediaFile[]
    readonly verdict: VerdictKind
  }
}

export interface BundleFonts {
  readonly css: Sha256
  readonly cssUrls: readonly string[]
  readonly files: readonly MediaFile[]
}

/** Facts about stored HTML, and its parts that a page of a site cannot contain. */
export interface StoredFacts extends PageFacts {
  readonly leftOut: readonly string[]
}

/** Everything that determines the layout. */
export interface LayoutInput {
  readonly site: {
    readonly id: SiteId
    readonly name: string
    readonly publishing: SitePublishing
    /** The decided folders of tags, by comparable name, see `tagFoldersOf`. */
    readonly tagFolders: ReadonlyMap<string, string>
    /** Whether anybody has ever chosen the home page. The list of posts may then have been beside it. */
    readonly hasChosenHome: boolean
  }
  /** In the order of their first arrival, see `addressesOf`. */
  readonly pages: readonly BundlePage[]
  /** Facts about the stored HTML, by its hash. */
  readonly facts: ReadonlyMap<Sha256, StoredFacts>
  /** The URLs of this library's files in the stored HTML, by its hash. */
  readonly urls: ReadonlyMap<Sha256, readonly string[]>
  readonly fonts: BundleFonts | null
  /** Files of other versions that the pages refer to. */
  readonly furtherMedia: readonly MediaFile[]
  /** Files that could run script when opened. */
  readonly activeFiles: ReadonlySet<Sha256>
  /** The extensions of files whose names do not say their type, by their bytes. */
  readonly extensions: ReadonlyMap<Sha256, string>
  /** Drawings and style sheets that the export changes: the hash of what is written, by their key. */
  readonly written: ReadonlyMap<string, Sha256>
}

export interface PlannedPage extends SitePage {
  readonly versionId: VersionId
  readonly verdict: VerdictKind
  readonly html: Sha256
  /** Whether search engines may index it. */
  readonly isIndexed: boolean
  readonly notes: readonly PageNote[]
}

interface PlannedBlob {
  readonly path: string
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly name: string
  readonly inert: boolean
}

/** A redirect; both paths are files of the bundle. */
export interface Redirect {
  readonly from: string
  readonly to: string
}

/** A redirect of readers who open a file of the bundle with a query. */
export interface QueryRedirect extends Redirect {
  readonly query: string
}

/** The paths of all files in a bundle. */
export interface Layout {
  readonly site: LayoutInput['site']
  /** Pinned pages first, then the most recently published. */
  readonly pages: readonly PlannedPage[]
  /** The list of posts: the home page, unless a material is the home page. */
  readonly listing: { readonly path: string }
  /** By path. No page is at any of them. */
  readonly redirects: readonly Redirect[]
  /** By path; for the same path, those with more parameters first. */
  readonly queries: readonly QueryRedirect[]
  /** By path, each listed once. */
  readonly blobs: readonly PlannedBlob[]
  /** Drawings and style sheets that the export changes. `sha256` is the hash of the stored file. */
  readonly written: readonly PlannedBlob[]
  readonly fontsCss: Sha256 | null
  readonly pathByUrl: ReadonlyMap<string, string>
}

/** Search engines and previews truncate longer descriptions. */
export const descriptionMaxChars = 160

export function layOut(input: LayoutInput): Layout {
  const { site, pages, fonts } = input
  const { blobs, written, pathByUrl } = placeFiles(input)
  const { home } = site.publishing
  const addresses = addressesOf(pages.map(({ settings, ...page }) => ({ ...page, ...settings })))
  const zone = timeZone(site.publishing.timeZone)
  const planned = pages.map((page, at): PlannedPage => {
    const address = addresses[at] ?? ''
    const isHome = page.materialId === home
    return {
      ...plannedPage(page, input, { zone, pathByUrl }),
      path: isHome ? bundlePath.home : pageFile(address),
      redirectsFrom: [...(isHome ? [address] : []), ...page.settings.redirectsFrom],
    }
  })
  const taken = new Set(planned.map(({ path }) => path))
  const besideHome = freeFile('posts', taken)
  const listing = { path: taken.has(bundlePath.home) ? besideHome : bundlePath.home }
  taken.add(listing.path)
  const placed = planned.map((page) => ({
    ...page,
    redirectsFrom: page.redirectsFrom.filter((from) => !taken.has(redirectFile(from))),
  }))
  const toPages = placed.flatMap(({ path, redirectsFrom }) =>
    formerFiles(redirectsFrom).map((from) => ({ from, to: path })),
  )
  const isFormerList =
    site.hasChosenHome && listing.path !== besideHome && !toPages.some(({ from }) => from.toLowerCase() === besideHome)
  const redirects = [...toPages, ...(isFormerList ? [{ from: besideHome, to: listing.path }] : [])]
  const queries = placed.flatMap(({ path: to, redirectsFrom }) => redirectsFrom.flatMap((from) => queryFrom(from, to)))
  return {
    site,
    pages: placed.toSorted(byRank),
    listing,
    redirects: redirects.toSorted((a, b) => compare(a.from, b.from)),
    queries: queries.toSorted(byReach),
    blobs: [...blobs.values()].toSorted((a, b) => compare(a.path, b.path)),
    // A stored file may have the same bytes.
    written: [...written.values()].filter(({ path }) => !blobs.has(path)).toSorted((a, b) => compare(a.path, b.path)),
    fontsCss: fonts?.css ?? null,
    pathByUrl,
  }
}

function queryFrom(address: string, to: string): readonly QueryRedirect[] {
  const { path, query } = redirectParts(address)
  return query === null ? [] : [{ from: path === '' ? bundlePath.home : redirectFile(path), query, to }]
}

const byReach = (a: QueryRedirect, b: QueryRedirect): number =>
  compare(a.from, b.from) || b.query.split('&').length - a.query.split('&').length || compare(a.query, b.query)

const byRank = (a: PlannedPage, b: PlannedPage): number =>
  Number(b.pinned) - Number(a.pinned) || compare(b.published, a.published) || compare(a.path, b.path)

function freeFile(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const path = pageFile(number === 1 ? name : `${name}-${number}`)
    if (!taken.has(path)) return path
  }
}

function placeFiles({ pages, fonts, furtherMedia, activeFiles, extensions, written: changed }: LayoutInput) {
  const blobs = new Map<string, PlannedBlob>()
  const written = new Map<string, PlannedBlob>()
  const pathByUrl = new Map<string, string>()
  const place = (folder: string) => (file: MediaFile) => {
    const { sha256, sizeBytes, name, url } = file
    const changedSha = changed.get(writtenKey(file))
    const mayRun = activeFiles.has(sha256)
    const { fileName, inert } = bundleFileName(changedSha ?? sha256, name, mayRun, extensions.get(sha256))
    const path = `${folder}/${fileName}`
    const planned = changedSha === undefined || inert ? blobs : written
    if (!planned.has(path)) planned.set(path, { path, sha256, sizeBytes, name, inert })
    pathByUrl.set(url, path)
  }
  furtherMedia.forEach(place('media'))
  for (const page of pages) page.version.media.forEach(place('media'))
  fonts?.files.forEach(place('fonts'))
  for (const url of fonts?.cssUrls ?? []) pathByUrl.set(url, bundlePath.fontsCss)
  return { blobs, written, pathByUrl }
}

/** The moment of the update that readers are told of; null: none. `saved`: the moment of the version that they read. */
export function shownUpdate(
  { updated, firstSaved, published }: Pick<PageSettings, 'updated' | 'firstSaved' | 'published'>,
  saved: string,
): string | null {
  if (updated !== null) return updated === 'none' ? null : updated
  const isLater = firstSaved !== null && saved > firstSaved && (published === null || saved > published)
  return isLater ? saved : null
}

/** Settings without a value default to the content of the page. */
function plannedPage(
  { materialId, title, settings, version }: BundlePage,
  input: LayoutInput,
  { zone, pathByUrl }: { readonly zone: TimeZone; readonly pathByUrl: ReadonlyMap<string, string> },
): Omit<PlannedPage, 'path' | 'redirectsFrom'> {
  const { site, facts } = input
  const { versionId, html, verdict } = version
  const {
    path: _path,
    redirectsFrom: _from,
    notBefore: _notBefore,
    firstSaved: _saved,
    socialImage,
    ...said
  } = settings
  const saved = versionMoment(version)
  const published = settings.published ?? saved
  const shown = shownUpdate(settings, saved)
  const updated = shown ?? published
  const [publishedDay, updatedDay] = [zone.dayOf(published), zone.dayOf(updated)]
  const found = facts.get(html)
  const language = settings.language ?? found?.language ?? site.publishing.language
  const chosen = socialImage === null ? null : chosenImage(socialImage, version, input, pathByUrl)
  const state = settings.state === 'hidden' ? 'hidden' : 'published'
  const parts = found?.leftOut ?? []
  return {
    ...said,
    state,
    materialId,
    versionId,
    title: title.trim() || materialId,
    published,
    updated,
    publishedDay,
    updatedDay,
    isUpdated: shown !== null && (settings.updated !== null || updatedDay > publishedDay),
    language,
    dir: textDirection(language),
    description: settings.description ?? cutAtWord(found?.opening ?? '', descriptionMaxChars),
    image:
      chosen ??
      found?.pictures.map((address) => pictureAt(address, pathByUrl)).find((picture) => picture !== null) ??
      null,
    verdict,
    html,
    isIndexed: state === 'published' && found?.isUnindexed !== true,
    notes: [
      ...(socialImage !== null && chosen === null ? [{ code: 'social_image_gone', image: socialImage } as const] : []),
      ...(parts.length > 0 ? [{ code: 'parts_left_out', parts } as const] : []),
    ],
  }
}

/** The image that a person chose, by file name or by URL, which is used unchanged. Null if the file no longer exists. */
function chosenImage(
  image: string,
  { html, media }: BundlePage['version'],
  { furtherMedia, urls }: LayoutInput,
  pathByUrl: ReadonlyMap<string, string>,
): string | null {
  // A file of an earlier save counts only if the page uses it, since files of other pages may have the same name.
  const isUsed = (url: string): boolean => urls.get(html)?.includes(url) === true
  const file =
    media.find(({ name }) => name === image) ?? furtherMedia.find(({ name, url }) => name === image && isUsed(url))
  if (file !== undefined) return pictureAt(file.url, pathByUrl)
  return pictureAt(image, pathByUrl) ?? (isHttpUrl(image) ? new URL(image).href : null)
}

/** A picture that other pages can show: in the bundle, or on the web. */
function pictureAt(address: string, pathByUrl: ReadonlyMap<string, string>): string | null {
  const path = pathByUrl.get(address)
  if (path !== undefined) return isRasterImage(path) ? path : null
  if (!URL.canParse(address)) return null
  const { protocol, pathname, href } = new URL(address)
  return /^https?:$/.test(protocol) && isRasterImage(pathname.toLowerCase()) ? href : null
}

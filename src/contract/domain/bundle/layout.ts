import type { MaterialId, Sha256, SiteId, VersionId } from '../../ids.ts'
import type { MediaFile } from '../version.ts'
import { cdateMs } from '../version.ts'
import type { PageSettings, SitePage, SitePublishing } from '../site-model.ts'
import { bundleFileName } from './file-name.ts'
import { compare } from './order.ts'
import type { VerdictKind } from '../outgoing.ts'
import { bundlePath } from './paths.ts'
import { pageFolders } from './slug.ts'

/** The version of a material that was chosen for a bundle. */
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

/** Everything that decides where things go. */
export interface LayoutInput {
  readonly site: { readonly id: SiteId; readonly name: string; readonly publishing: SitePublishing }
  /** In the order in which the materials first came, see `pageFolders`. */
  readonly pages: readonly BundlePage[]
  readonly fonts: BundleFonts | null
  /** Files that the pages refer to and that belong to other versions. */
  readonly furtherMedia: readonly MediaFile[]
  /** SVG files that could run script when opened. */
  readonly activeSvgs: ReadonlySet<Sha256>
}

export interface PlannedPage extends SitePage {
  readonly versionId: VersionId
  readonly verdict: VerdictKind
  readonly html: Sha256
}

interface PlannedBlob {
  readonly path: string
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly name: string
  readonly inert: boolean
}

/** Where everything in a bundle goes. */
export interface Layout {
  readonly site: LayoutInput['site']
  /** Newest first. */
  readonly pages: readonly PlannedPage[]
  /** By path, each once. */
  readonly blobs: readonly PlannedBlob[]
  readonly fontsCss: Sha256 | null
  readonly pathByUrl: ReadonlyMap<string, string>
}

export function layOut({ site, pages, fonts, furtherMedia, activeSvgs }: LayoutInput): Layout {
  const blobs = new Map<string, PlannedBlob>()
  const pathByUrl = new Map<string, string>()
  const place = (folder: string) => (file: MediaFile) => {
    const { sha256, sizeBytes, name, url } = file
    const { fileName, inert } = bundleFileName(sha256, name, activeSvgs.has(sha256))
    const path = `${folder}/${fileName}`
    if (!blobs.has(path)) blobs.set(path, { path, sha256, sizeBytes, name, inert })
    pathByUrl.set(url, path)
  }
  furtherMedia.forEach(place('media'))
  for (const page of pages) page.version.media.forEach(place('media'))
  fonts?.files.forEach(place('fonts'))
  for (const url of fonts?.cssUrls ?? []) pathByUrl.set(url, bundlePath.fontsCss)

  const folders = pageFolders(pages)
  const planned = pages.map(({ materialId, title, settings, version }, index): PlannedPage => {
    const { versionId, versionCdate, receivedAt, html, verdict } = version
    const updated = momentOf(versionCdate) ?? momentOf(receivedAt) ?? ''
    const language = settings.language ?? site.publishing.language
    return {
      ...settings,
      state: settings.state === 'hidden' ? 'hidden' : 'published',
      materialId,
      versionId,
      title: title.trim() || materialId,
      path: `${folders[index] ?? ''}/index.html`,
      published: settings.published ?? updated,
      updated,
      language,
      dir: 'ltr',
      description: settings.description ?? '',
      image: settings.socialImage,
      verdict,
      html,
    }
  })
  const newestFirst = (a: PlannedPage, b: PlannedPage): number =>
    compare(b.published, a.published) || compare(a.path, b.path)
  return {
    site,
    pages: planned.toSorted(newestFirst),
    blobs: [...blobs.values()].toSorted((a, b) => compare(a.path, b.path)),
    fontsCss: fonts?.css ?? null,
    pathByUrl,
  }
}

const momentOf = (text: string | null): string | null => {
  const ms = cdateMs(text)
  return ms === null ? null : new Date(ms).toISOString()
}

import type { MaterialId, Sha256, SiteId, VersionId } from '../../ids.ts'
import type { MediaFile } from '../version.ts'
import { cdateMs } from '../version.ts'
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
  readonly site: { readonly id: SiteId; readonly name: string }
  /** In the order in which the materials first came, see `pageFolders`. */
  readonly pages: readonly BundlePage[]
  readonly fonts: BundleFonts | null
  /** Files that the pages refer to and that belong to other versions. */
  readonly furtherMedia: readonly MediaFile[]
  /** SVG files that could run script when opened. */
  readonly activeSvgs: ReadonlySet<Sha256>
}

export interface PlannedPage {
  readonly materialId: MaterialId
  readonly versionId: VersionId
  readonly title: string
  /** The day of the version, `YYYY-MM-DD`, as the service wrote it; else the day it was received. */
  readonly date: string
  readonly verdict: VerdictKind
  readonly html: Sha256
  readonly path: string
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
  readonly site: { readonly id: SiteId; readonly name: string }
  /** Newest first. */
  readonly pages: readonly PlannedPage[]
  /** By path, each once. */
  readonly blobs: readonly PlannedBlob[]
  readonly fontsCss: Sha256 | null
  readonly pathByUrl: ReadonlyMap<string, string>
}

const day = /^\d{4}-\d\d-\d\d/

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
  const planned = pages.map(({ materialId, title, version }, index) => {
    const { versionId, versionCdate, receivedAt, html, verdict } = version
    const [date = ''] = day.exec(versionCdate ?? '') ?? day.exec(receivedAt) ?? []
    const path = `${folders[index] ?? ''}/index.html`
    const shownTitle = title.trim() || materialId
    const moment = cdateMs(versionCdate) ?? cdateMs(receivedAt) ?? 0
    return { moment, page: { materialId, versionId, title: shownTitle, date, verdict, html, path } }
  })
  return {
    site,
    pages: planned.toSorted((a, b) => b.moment - a.moment || compare(a.page.path, b.page.path)).map(({ page }) => page),
    blobs: [...blobs.values()].toSorted((a, b) => compare(a.path, b.path)),
    fontsCss: fonts?.css ?? null,
    pathByUrl,
  }
}

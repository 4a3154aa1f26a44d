import type { SnapshotId } from '@galley/wire'
import { currentFontsCssPath, fontFaces } from '@galley/wire'

import type { FontFile } from '../db/font-set/snapshots.ts'
import type { IndexReads } from '../db/library-index.ts'
import type { Site } from '../records/site.ts'
import { publicBase } from '../records/site.ts'
import type { Vault } from '../vault/vault.ts'
import type { FontFace, SnapshotDetail, SnapshotDifference, SnapshotRow } from '../views/fonts.ts'

/** The inspector shows the beginning of the CSS; faces are read from this much of it. */
const cssMaxChars = 200_000
const readBytes = 4 * 1024 * 1024

/** A snapshot with its faces; null if it does not exist. */
export async function snapshotDetail(
  index: IndexReads,
  vault: Vault,
  site: Site,
  snapshotId: SnapshotId,
): Promise<SnapshotDetail | null> {
  const row = index.snapshots.rows(site.id).find((each) => each.snapshotId === snapshotId)
  const found = index.snapshots.find(site.id, snapshotId)
  const place = found && index.blobs.find(found.css)
  const archiveSha256 = index.snapshots.archiveOf(site.id, snapshotId)
  if (!row || !found || !place || archiveSha256 === null) return null
  const bytes = await vault.readBytes({ ...place, sizeBytes: Math.min(place.sizeBytes, readBytes) })
  const css = bytes.toString('utf8')
  const faces = facesOf(css, row.cssUrl, found.files)
  const named = new Set(faces.flatMap(({ files }) => files.map(({ stored }) => stored?.name)))
  return {
    ...row,
    currentCssUrl: publicBase(site) + currentFontsCssPath(site.id),
    archiveSha256,
    css: css.slice(0, cssMaxChars),
    faces,
    fontFiles: found.files.map((file) => ({ ...file, isNamed: named.has(file.name) })),
    warnings: index.snapshots.warnings(site.id, snapshotId),
  }
}

/** The stored CSS refers to files by public URL. A face with another URL has no stored file. */
function facesOf(css: string, cssUrl: string, files: readonly FontFile[]): readonly FontFace[] {
  const byAddress = new Map(files.map((file) => [bareAddress(file.url, cssUrl), file]))
  return fontFaces(css).map(({ sources, ...face }) => ({
    ...face,
    files: sources.map(({ url, format }) => {
      const address = bareAddress(url, cssUrl)
      const file = address === null ? undefined : byAddress.get(address)
      return { url, format, stored: file ? { name: file.name, sha256: file.sha256, sizeBytes: file.sizeBytes } : null }
    }),
  }))
}

/** A URL without the suffix for old browsers (`?#iefix`); null if it is not a URL. */
function bareAddress(url: string, base: string): string | null {
  if (!URL.canParse(url, base)) return null
  const { origin, pathname } = new URL(url, base)
  return origin + pathname
}

const faceKey = ({ family, weight, style, stretch, unicodeRange }: FontFace): string =>
  JSON.stringify([family, weight, style, stretch, unicodeRange])
const contents = ({ files }: FontFace): string => JSON.stringify(files.map(({ stored, url }) => stored?.sha256 ?? url))

/** The changes from the first to the second snapshot. */
export function snapshotDifference(before: SnapshotDetail, after: SnapshotDetail): SnapshotDifference {
  const old = new Map(before.faces.map((face) => [faceKey(face), face]))
  const now = new Map(after.faces.map((face) => [faceKey(face), face]))
  const oldFiles = new Map(before.fontFiles.map(({ name, sha256 }) => [name, sha256]))
  const newFiles = new Map(after.fontFiles.map(({ name, sha256 }) => [name, sha256]))
  const names = (from: ReadonlyMap<string, string>, keep: (name: string, sha256: string) => boolean) =>
    [...from].filter(([name, sha256]) => keep(name, sha256)).map(([name]) => name)
  return {
    before: before.snapshotId,
    after: after.snapshotId,
    facesAdded: after.faces.filter((face) => !old.has(faceKey(face))),
    facesRemoved: before.faces.filter((face) => !now.has(faceKey(face))),
    facesChanged: after.faces.flatMap((face) => {
      const was = old.get(faceKey(face))
      return was && contents(was) !== contents(face) ? [{ before: was, after: face }] : []
    }),
    filesAdded: names(newFiles, (name) => !oldFiles.has(name)),
    filesRemoved: names(oldFiles, (name) => !newFiles.has(name)),
    filesChanged: names(newFiles, (name, sha256) => oldFiles.has(name) && oldFiles.get(name) !== sha256),
    // URLs contain the snapshot id, so the raw texts always differ.
    cssChanged: cssWithout(before) !== cssWithout(after),
  }
}

const cssWithout = ({ css, snapshotId }: Pick<SnapshotRow, 'snapshotId'> & { readonly css: string }): string =>
  css.replaceAll(`/${encodeURIComponent(snapshotId)}/`, '/').replaceAll(`/${snapshotId}/`, '/')

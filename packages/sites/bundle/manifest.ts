import { compare, isBundlePath } from '@galley/library/records'
import { parsedJson } from '@galley/wire'

import type { Layout } from './layout.ts'

/** A file of a bundle in the manifest. */
export interface ManifestFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

const format = 'galley-bundle'
const version = 1

/**
 * The text of `galley-bundle.json`: size and hash of every other file, and the version of each page. It contains no time and
 * nothing about the machine, so the same bundle has the same manifest, and its hash identifies all bytes of the bundle.
 */
export function manifestText({ site, pages }: Pick<Layout, 'site' | 'pages'>, files: readonly ManifestFile[]): string {
  const manifest = {
    format,
    version,
    site: { id: site.id, name: site.name },
    pages: pages.map((page) => ({
      path: page.path,
      title: page.title,
      material_id: page.materialId,
      version_id: page.versionId,
    })),
    files: listed(files),
  }
  return `${JSON.stringify(manifest, null, 1)}\n`
}

/** Whose files a target has: the random id of the site, the release, and a hash for each material that has a page there. */
export interface TargetNote {
  readonly owner: string
  readonly release: string
  readonly pages: readonly string[]
}

/** The manifest of a public folder: it lists which files are Galley's, and names no material. */
export const publicManifestText = ({ owner, release, pages }: TargetNote, files: readonly ManifestFile[]): string =>
  `${JSON.stringify({ format, version, owner, release, pages, files: listed(files) }, null, 1)}\n`

/** The note in the manifest of a public folder; null in that of an export. */
export function readTargetNote(text: string): TargetNote | null {
  const manifest = parsedJson(text)
  if (!isRecord(manifest)) return null
  const { owner, release, pages } = manifest
  if (typeof owner !== 'string' || typeof release !== 'string' || !Array.isArray(pages)) return null
  return { owner, release, pages: pages.filter((page) => typeof page === 'string') }
}

const listed = (files: readonly ManifestFile[]): readonly ManifestFile[] =>
  files.toSorted((a, b) => compare(a.path, b.path)).map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))

/** The files of a manifest. `newer`: a later version of Galley wrote it; null if Galley cannot have written the text. */
export function readManifest(text: string): readonly ManifestFile[] | 'newer' | null {
  const manifest = parsedJson(text)
  if (isOfNewerGalley(manifest, { format, version })) return 'newer'
  if (!isRecord(manifest) || manifest['format'] !== format || manifest['version'] !== version) return null
  const { files } = manifest
  // Deletions follow this list, so a single foreign path invalidates all of it.
  return Array.isArray(files) && files.every(isManifestFile) ? files : null
}

function isManifestFile(value: unknown): value is ManifestFile {
  if (!isRecord(value)) return false
  const { path, bytes, sha256 } = value
  return (
    typeof path === 'string' &&
    isBundlePath(path) &&
    Number.isSafeInteger(bytes) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  )
}

/** Whether a text of this format has a later number than this version of Galley reads. */
export const isOfNewerGalley = (
  value: unknown,
  known: { readonly format: string; readonly version: number },
): boolean =>
  isRecord(value) &&
  value['format'] === known.format &&
  typeof value['version'] === 'number' &&
  value['version'] > known.version

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

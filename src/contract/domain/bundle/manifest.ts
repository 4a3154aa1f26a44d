import type { Layout } from './layout.ts'
import { compare } from './order.ts'
import { isBundlePath } from './paths.ts'

/** A file of a bundle as the manifest lists it. */
export interface ManifestFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

const format = 'galley-bundle'
const version = 1

/**
 * The text of `galley-bundle.json`: every other file with size and hash, and which version each page shows. It holds no
 * time and no machine, so the same bundle has the same manifest, and its hash stands for all bytes of the bundle.
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
    files: files
      .toSorted((a, b) => compare(a.path, b.path))
      .map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  }
  return `${JSON.stringify(manifest, null, 1)}\n`
}

/** The files of a manifest, or null when the text is not one that Galley could have written. */
export function readManifest(text: string): readonly ManifestFile[] | null {
  const manifest = parsed(text)
  if (!isRecord(manifest) || manifest['format'] !== format || manifest['version'] !== version) return null
  const { files } = manifest
  // Deletions follow this list, so one path that is not ours disowns the whole.
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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Someone else's file under our name.
    return null
  }
}

import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { readManifestPages } from '../../../contract/domain/bundle/manifest.ts'
import { bundlePath } from '../../../contract/domain/bundle/paths.ts'
import type { SiteId } from '../../../contract/ids.ts'
import { isSystemError } from '../../platform/disk/system-error.ts'
import { manifestOfZip } from './earlier-zip.ts'
import type { ExportTarget } from './target-lock.ts'

/** More than the manifest of a million files. */
const maxBytes = 256 * 1024 ** 2

/**
 * The addresses that the bundle in a target gives to the pages of a site, by material. Earlier versions of Galley
 * stored addresses only there. Empty if no such bundle can be read; the writer reports why.
 */
export async function earlierAddresses(target: ExportTarget, site: SiteId): Promise<ReadonlyMap<string, string>> {
  try {
    const text = await (target.kind === 'folder' ? manifestOf(target.directory) : manifestOfZip(target.file))
    return text === null ? new Map() : readManifestPages(text.toString('utf8'), site)
  } catch (error) {
    if (isSystemError(error)) return new Map()
    throw error
  }
}

async function manifestOf(folder: string): Promise<Buffer | null> {
  const path = join(folder, bundlePath.manifest)
  const found = await lstat(path)
  return found.isFile() && found.size <= maxBytes ? readFile(path) : null
}

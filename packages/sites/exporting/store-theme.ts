import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdoptionOutcome, Index, Vault } from '@galley/library'
import type { ExportFailure, SitePublishing } from '@galley/library/records'
import { themeOfFiles } from '@galley/library/records'
import { sha256Of } from '@galley/platform'
import type { Result, SiteId } from '@galley/wire'
import { ok } from '@galley/wire'

import { packTheme } from './theme-file.ts'

export interface StoreThemePorts {
  readonly index: Pick<Index, 'commit' | 'publishing'>
  readonly vault: Pick<Vault, 'stage' | 'discard' | 'adopt'>
}

/**
 * Stores the files of a theme folder in the library and gives them to a site, with other settings. Every computer of a team
 * then renders with these files; the folder is not read again. Throws errors of disk, index and log.
 */
export async function storeTheme(
  { index, vault }: StoreThemePorts,
  site: SiteId,
  folder: string,
  others: () => Partial<SitePublishing> = () => ({}),
): Promise<Result<null, ExportFailure>> {
  // The theme engine is loaded only when it is needed.
  const { themeFilesIn } = await import('./theme-folders.ts')
  const files = await themeFilesIn(folder)
  if (!files.ok) return files
  const pack = packTheme(files.value)
  const sha256 = sha256Of(pack)
  const staging = await vault.stage()
  let outcome: AdoptionOutcome = 'nothing_stored'
  try {
    const path = join(staging, 'theme')
    await writeFile(path, pack, { mode: 0o600, flush: true })
    const adoption = await vault.adopt([{ path, sha256 }])
    try {
      // A commit that throws may still be in the log.
      outcome = 'unknown'
      const blobs = [{ sha256, sizeBytes: pack.length, pack: null }]
      await index.commit.write(() => index.publishing.change(site, { ...others(), theme: themeOfFiles(sha256) }, blobs))
      outcome = 'stored'
    } finally {
      adoption.settle(outcome)
    }
    return ok(null)
  } finally {
    await vault.discard(staging)
  }
}

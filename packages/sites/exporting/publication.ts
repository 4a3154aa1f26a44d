import type { Index, IndexWith, Vault } from '@galley/library'
import type { Site } from '@galley/library/records'
import { isStorageFault } from '@galley/platform'
import type { Result, SiteId } from '@galley/wire'

import type { Choice, LibrarySource, UnknownChoice } from './library-source.ts'
import { librarySource } from './library-source.ts'

/**
 * Selects what is published, and records the addresses of all pages of the site beforehand: of all materials, so that
 * leaving one out today changes no address later. A dry run uses `librarySource` alone.
 */
export async function startPublication(
  index: IndexWith<'commit' | 'pages'>,
  vault: Vault,
  site: Site,
  choice: Choice,
): Promise<Result<LibrarySource, UnknownChoice>> {
  const source = await librarySource(index, vault, site, choice)
  if (!source.ok || index.pages.isDecided(site.id)) return source
  await ifWritable(index, () => index.pages.decide(site.id))
  // Another process may have recorded addresses meanwhile.
  return librarySource(index, vault, site, choice)
}

/** Records that readers can now see the pages of a source. */
export async function recordPublication(
  index: IndexWith<'commit' | 'pages'>,
  site: SiteId,
  { firstPublished }: LibrarySource,
): Promise<void> {
  await ifWritable(index, () => index.pages.publish(site, firstPublished))
}

/** A read-only library can still be published; the next attempt results in the same addresses. */
async function ifWritable({ commit }: Pick<Index, 'commit'>, write: () => void): Promise<void> {
  try {
    await commit.write(write)
  } catch (error) {
    if (!isStorageFault(error)) throw error
  }
}

import type { BlobLocation } from '@galley/platform'
import { readBlob } from '@galley/platform'
import type { Sha256 } from '@galley/wire'
import { loadPageBlocks, loadPageText } from '@galley/wire'

import { readableText } from '../archive/file-references.ts'
import type { MediaReference } from '../records/changes.ts'
import { mediaReferences, referenceKey } from '../records/media-references.ts'

/** The jobs of a background thread that read stored pages, and the one that rewrites the index. */
export interface CareJobs {
  /** null if the page cannot be read. */
  pageWords: { input: BlobLocation; output: string | null }
  /** Makes stored pages searchable. Those that cannot be read are left out. */
  searchPages: {
    input: {
      readonly file: string
      readonly pages: readonly { readonly sha256: Sha256; readonly place: BlobLocation }[]
    }
    output: null
  }
  /** Removes pages from the search that no version has any more. */
  forgetPages: { input: { readonly file: string; readonly index: string }; output: number }
  /** null if one of the texts cannot be read. */
  mediaReferences: {
    input: {
      readonly texts: readonly BlobLocation[]
      /** Files in the version's own archive. */
      readonly own: readonly MediaReference[]
      readonly bases: readonly string[] | null
      /** The texts are media files, not a page and its state. */
      readonly isFile: boolean
    }
    output: readonly MediaReference[] | null
  }
  /** The files of the index. Returns SQLite's code of a fault, or null. */
  scrub: { input: { readonly index: string; readonly local: string }; output: string | null }
}

/** The maximum text of a page in the search, as in a save, in UTF-16 units. */
const wordsMaxChars = 200_000

/** Rewrites the index. Only an erase loads this module. */
export const scrubIndex = async (files: CareJobs['scrub']['input']): Promise<CareJobs['scrub']['output']> =>
  (await import('../db/scrub.ts')).scrub(files)

/** The text of a stored page for the search; null if its file cannot be read. */
export async function readPageWords(page: BlobLocation): Promise<string | null> {
  const html = await readText(page)
  if (html === null) return null
  // Imported on demand: the parser is a fifth of the code that a start would load.
  const { pageText } = await loadPageText()
  return pageText(html, wordsMaxChars).text
}

/** The maximum text of one block, in UTF-16 units. */
const blockMaxChars = 20_000

export async function searchPages({ file, pages }: CareJobs['searchPages']['input']): Promise<null> {
  const [{ pageBlocks }, { putPages }] = await Promise.all([loadPageBlocks(), import('../db/search/page-words.ts')])
  const read: { sha256: Sha256; blocks: readonly string[] }[] = []
  for (const { sha256, place } of pages) {
    const html = await readText(place)
    if (html !== null) read.push({ sha256, blocks: pageBlocks(html, blockMaxChars) })
  }
  if (read.length > 0) putPages(file, read)
  return null
}

export const forgetSearchPages = async (files: CareJobs['forgetPages']['input']): Promise<number> =>
  (await import('../db/search/page-words.ts')).forgetPages(files.file, files.index)

/** Files of earlier saves to which stored texts refer; null if one of the texts cannot be read. */
export async function readMediaReferences({
  texts,
  own,
  bases,
  isFile,
}: CareJobs['mediaReferences']['input']): Promise<readonly MediaReference[] | null> {
  const read: string[] = []
  for (const text of texts) {
    const known = await readText(text)
    if (known === null) return null
    read.push(known)
  }
  return mediaReferences(read, new Set(own.map(referenceKey)), { bases, isFile })
}

const readText = (location: BlobLocation): Promise<string | null> => readBlob(location).then(readableText, () => null)

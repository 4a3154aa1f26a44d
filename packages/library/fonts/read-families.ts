import type { BlobLocation, JobContext } from '@galley/platform'
import { readBlob } from '@galley/platform'

import { askedFaces } from '../records/asked-faces.ts'
import type { AskedFace } from '../records/asked-faces.ts'
import { pageFamilies } from './page-families.ts'

/**
 * The font families that a page uses in its CSS, those it declares with `@font-face`, and the faces that its texts request.
 */
export interface PageFamilies {
  readonly families: readonly string[]
  readonly own: readonly string[]
  readonly asked: readonly AskedFace[]
}

/** The jobs of a background thread for font sets. */
export interface FontJobs {
  pageFamilies: { input: readonly BlobLocation[]; output: readonly PageFamilies[] }
}

/** Reads the pages in sequence. Can be cancelled between two pages. */
export async function readFamilies(
  pages: FontJobs['pageFamilies']['input'],
  { signal, progress }: JobContext,
): Promise<readonly PageFamilies[]> {
  const read: PageFamilies[] = []
  for (const page of pages) {
    signal.throwIfAborted()
    const html = new TextDecoder().decode(await readBlob(page))
    read.push({ ...pageFamilies(html), asked: askedFaces(html) })
    progress({ step: 'reading', done: read.length, total: pages.length, unit: 'pages' })
  }
  return read
}

import { askedFaces } from '../../../contract/domain/asked-faces.ts'
import { pageFamilies } from './page-families.ts'
import type { AskedFace } from '../../../contract/domain/asked-faces.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'
import type { JobContext } from '../../platform/threads/serve-jobs.ts'
import { readBlob } from '../../platform/disk/blob-location.ts'

/** The font families that a page names in its own CSS, those it brings by an `@font-face` of its own, and what its texts ask for. */
export interface PageFamilies {
  readonly families: readonly string[]
  readonly own: readonly string[]
  readonly asked: readonly AskedFace[]
}

/** The jobs of a background thread that font sets need. */
export interface FontJobs {
  pageFamilies: { input: readonly BlobLocation[]; output: readonly PageFamilies[] }
}

/** Reads the pages one after the other; stops between two when it is cancelled. */
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

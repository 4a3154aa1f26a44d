import { askedFaces } from '../../../contract/domain/asked-faces.ts'
import { pageFamilies } from './page-families.ts'
import type { BackgroundJobs, PageFamilies } from '../../edges/thread/jobs.ts'
import type { JobSurroundings } from '../../edges/thread/jobs.ts'
import { readBlob } from '../../platform/disk/blob-location.ts'

/** Reads the pages one after the other; stops between two when it is cancelled. */
export async function readFamilies(
  pages: BackgroundJobs['pageFamilies']['input'],
  { signal, progress }: JobSurroundings,
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

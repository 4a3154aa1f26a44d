import type { PageFacts } from '../../../contract/text/html/page-facts.ts'
import { createPageFacts } from '../../../contract/text/html/page-facts.ts'
import { rewriteHtml } from '../../../contract/text/references/html.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'
import { readBlob } from '../../platform/disk/blob-location.ts'

/** The job of a background thread that reads the facts of a stored page. */
export interface PageReadingJobs {
  pageFacts: { input: BlobLocation; output: PageFacts }
}

export async function readPageFacts(page: BlobLocation): Promise<PageFacts> {
  const facts = createPageFacts()
  rewriteHtml(new TextDecoder().decode(await readBlob(page)), () => [], facts.reader)
  return facts.read()
}

import type { BlobLocation } from '@galley/platform'
import { readBlob } from '@galley/platform'
import type { PageFacts } from '@galley/wire'
import { createPageFacts, rewriteHtml } from '@galley/wire'

/** The job of a background thread that reads the facts of a stored page. */
export interface PageReadingJobs {
  pageFacts: { input: BlobLocation; output: PageFacts }
}

export async function readPageFacts(page: BlobLocation): Promise<PageFacts> {
  const facts = createPageFacts()
  rewriteHtml(new TextDecoder().decode(await readBlob(page)), () => [], facts.reader)
  return facts.read()
}

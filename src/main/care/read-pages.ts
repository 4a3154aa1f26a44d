import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Index } from '../db/library-index.ts'
import type { UnreadPage } from '../db/page-texts.ts'
import type { Vault } from '../vault/vault.ts'

/** As much of a page as a save puts into its search document, in UTF-16 units. */
const textMaxChars = 200_000
const pagesAtOnce = 20

/**
 * Reads the pages that the search does not know yet, as after a rebuild, one at a time between other work. A page that
 * cannot be read stays without words. Resolves when there are no more, or `signal` aborts.
 */
export async function readPages(index: Index, vault: Vault, signal?: AbortSignal): Promise<void> {
  for (let pages = index.pageTexts.unread(pagesAtOnce); pages.length > 0; pages = index.pageTexts.unread(pagesAtOnce)) {
    for (const page of pages) {
      if (signal?.aborted) return
      index.pageTexts.fill(page, await textOf(index, vault, page))
      await nextTurn()
    }
  }
}

async function textOf(index: Index, vault: Vault, { html }: UnreadPage): Promise<string | null> {
  const place = index.blobs.find(html)
  const bytes = place && (await vault.readBytes(place).catch(() => null))
  if (!bytes) return null
  // Its parser is a fifth of what a start would load.
  const { pageText } = await import('../../contract/page-text.ts')
  return pageText(bytes.toString('utf8'), textMaxChars).text
}

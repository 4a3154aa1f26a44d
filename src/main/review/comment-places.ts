import type { Anchor, FoundAnchor, Page, TextAnchor } from '@galley/compare'
import { anchorOf, findAnchors, readPage, regionOf } from '@galley/compare'
import { readStoredText } from '@galley/library'
import type { DamagedText } from '@galley/library'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { CommentedPage, CommentsJob, SelectionJob } from './jobs.ts'

async function readCommented({ html, files }: CommentedPage): Promise<Result<Page, DamagedText>> {
  const text = await readStoredText(html)
  if (!text.ok) return text
  const hashes = new Map(files)
  return ok(readPage(text.value, (address) => hashes.get(address) ?? null))
}

/** Finds comments of several versions in one of them. A version that cannot be read has lost its places. */
export async function findComments({
  pages,
  target,
  anchors,
}: CommentsJob): Promise<Result<readonly FoundAnchor[], DamagedText>> {
  const read: (Page | null)[] = []
  for (const page of pages) {
    const one = await readCommented(page)
    read.push(one.ok ? one.value : null)
  }
  const shown = await readCommented(target)
  if (!shown.ok) return shown
  const page = (order: number | null): Page | null => (order === null ? shown.value : (read[order] ?? null))
  return ok(
    findAnchors(
      anchors.map(({ page: order, anchor }) => ({ page: page(order), anchor })),
      shown.value,
    ),
  )
}

/** The anchor of what was selected in a page. */
export async function anchorSelection({
  page,
  selection,
}: SelectionJob): Promise<Result<Anchor, DamagedText | { readonly code: 'quote_not_found' | 'quote_ambiguous' }>> {
  const read = await readCommented(page)
  if (!read.ok) return read
  const anchor: TextAnchor | Anchor | 'not_found' | 'ambiguous' | null =
    selection.kind === 'text'
      ? anchorOf(read.value, selection, selection.near)
      : regionOf(read.value, selection.block, selection.picture, selection.region)
  if (anchor === null || anchor === 'not_found') return fail({ code: 'quote_not_found' })
  return anchor === 'ambiguous' ? fail({ code: 'quote_ambiguous' }) : ok(anchor)
}

import type { Anchor, FoundAnchor, Page, PageFile, PagePart, TextBlock } from '@galley/compare'
import { anchorOf, elementAnchorOf, filesIn, findAnchors, partAround, partWithin, textsOf } from '@galley/compare'
import { readVersionPage } from '@galley/library'
import type { DamagedText, VersionToCompare } from '@galley/library'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { CommentSelection } from '../../ipc/comments.ts'
import type { CommentsJob, PartJob, SelectionJob } from './jobs.ts'

/** The texts of a page. */
export async function readTexts(page: VersionToCompare): Promise<Result<readonly TextBlock[], DamagedText>> {
  const read = await readVersionPage(page)
  return read.ok ? ok(textsOf(read.value)) : read
}

/** A part of a page; null: there is nothing. */
export async function partOfPage({ page, around, within }: PartJob): Promise<Result<PagePart | null, DamagedText>> {
  const read = await readVersionPage(page)
  if (!read.ok) return read
  return ok(around === null ? partWithin(read.value, within) : partAround(read.value, around))
}

/** The pictures of a page, and other files that it shows or plays. */
export async function pageFiles(page: VersionToCompare): Promise<Result<readonly PageFile[], DamagedText>> {
  const read = await readVersionPage(page)
  return read.ok ? ok(filesIn(read.value)) : read
}

/** Finds comments of several versions in one of them. A version that cannot be read has lost its places. */
export async function findComments({
  pages,
  target,
  anchors,
}: CommentsJob): Promise<Result<readonly FoundAnchor[], DamagedText>> {
  const read: (Page | null)[] = []
  for (const page of pages) {
    const one = await readVersionPage(page)
    read.push(one.ok ? one.value : null)
  }
  const shown = await readVersionPage(target)
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
  const read = await readVersionPage(page)
  if (!read.ok) return read
  const anchor =
    selection.kind === 'text'
      ? textAnchor(read.value, selection)
      : elementAnchorOf(read.value, selection.path, selection.region)
  if (anchor === null || anchor === 'not_found') return fail({ code: 'quote_not_found' })
  return anchor === 'ambiguous' ? fail({ code: 'quote_ambiguous' }) : ok(anchor)
}

/** A browser may show text around a quote that the page does not have, such as that of a control: then the quote has to do. */
function textAnchor(page: Page, { near, ...quote }: Extract<CommentSelection, { readonly kind: 'text' }>) {
  const anchor = anchorOf(page, quote, near)
  return anchor === 'not_found' ? anchorOf(page, { ...quote, prefix: '', suffix: '' }, near) : anchor
}

import type { FieldsOf, KindName } from './kinds.ts'
import type { Span } from './spans.ts'

interface BlockOf<Name extends KindName> {
  readonly kind: Name
  readonly fields: FieldsOf<Name>
  /** The text of the state it was read from, including members this editor does not know; null when new. */
  readonly origin: string | null
  /** Empty unless the kind contains text. */
  readonly text: readonly Span[]
  /** Empty unless the kind contains blocks. */
  readonly blocks: readonly Block[]
}

/** A block from another editor or a later version: kept unchanged and shown as a placeholder. */
export interface ForeignBlock {
  readonly kind: 'foreign'
  readonly origin: string
}

export type KnownBlock = { readonly [Name in KindName]: BlockOf<Name> }[KindName]
export type Block = KnownBlock | ForeignBlock

/** The edited page. `style` holds the page's fields; its own text and blocks stay empty. */
export interface Page {
  readonly title: string
  readonly style: BlockOf<'page'>
  readonly blocks: readonly Block[]
}

/** A block of a kind. Its members always have the same order, so equal blocks have equal JSON. */
export function block<Name extends KindName>(
  kind: Name,
  fields: FieldsOf<Name>,
  parts: { readonly origin?: string | null; readonly text?: readonly Span[]; readonly blocks?: readonly Block[] } = {},
): BlockOf<Name> {
  return { kind, fields, origin: parts.origin ?? null, text: parts.text ?? [], blocks: parts.blocks ?? [] }
}

/** Whether two blocks, lists of blocks or pages are equal. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** All blocks of a page in reading order, containers before their content. */
export function* everyBlock(blocks: readonly Block[]): Iterable<Block> {
  for (const each of blocks) {
    yield each
    if (each.kind !== 'foreign') yield* everyBlock(each.blocks)
  }
}

/** The files that the page's pictures and videos use, without duplicates. */
export function usedFiles(page: Page): ReadonlySet<string> {
  const files = new Set<string>()
  for (const each of everyBlock(page.blocks))
    if (each.kind === 'image' || each.kind === 'video') files.add(each.fields.file)
  return files
}

import type { FieldsOf, KindName } from './kinds.ts'
import type { Span } from './spans.ts'

interface BlockOf<Name extends KindName> {
  readonly kind: Name
  readonly fields: FieldsOf<Name>
  /** The text of the state it was read from, with everything in it that this editor does not know; null when new. */
  readonly origin: string | null
  /** Empty unless the kind holds text. */
  readonly text: readonly Span[]
  /** Empty unless the kind holds blocks. */
  readonly blocks: readonly Block[]
}

/** A block of another editor, or of a later one: kept as it is, neither shown in full nor changed. */
export interface ForeignBlock {
  readonly kind: 'foreign'
  readonly origin: string
}

export type KnownBlock = { readonly [Name in KindName]: BlockOf<Name> }[KindName]
export type Block = KnownBlock | ForeignBlock

/** What a person edits. `style` holds the fields of the whole page; its own text and blocks stay empty. */
export interface Page {
  readonly title: string
  readonly style: BlockOf<'page'>
  readonly blocks: readonly Block[]
}

/** A block of a kind; always with its members in the same order, so that equal blocks have equal JSON. */
export function block<Name extends KindName>(
  kind: Name,
  fields: FieldsOf<Name>,
  parts: { readonly origin?: string | null; readonly text?: readonly Span[]; readonly blocks?: readonly Block[] } = {},
): BlockOf<Name> {
  return { kind, fields, origin: parts.origin ?? null, text: parts.text ?? [], blocks: parts.blocks ?? [] }
}

/** Whether two blocks, lists of blocks or pages say the same. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Every block of a page in reading order, containers before what they hold. */
export function* everyBlock(blocks: readonly Block[]): Iterable<Block> {
  for (const each of blocks) {
    yield each
    if (each.kind !== 'foreign') yield* everyBlock(each.blocks)
  }
}

/** The files that the page's pictures and videos use, each once. */
export function usedFiles(page: Page): ReadonlySet<string> {
  const files = new Set<string>()
  for (const each of everyBlock(page.blocks))
    if (each.kind === 'image' || each.kind === 'video') files.add(each.fields.file)
  return files
}

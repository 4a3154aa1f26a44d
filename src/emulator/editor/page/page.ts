/** A paragraph or a heading; line breaks inside are `\n`. */
export interface TextBlock {
  readonly kind: 'paragraph' | 'heading'
  readonly id: string
  readonly text: string
}

/** A picture: a file of the page, named as in `assets`. */
export interface ImageBlock {
  readonly kind: 'image'
  readonly id: string
  readonly file: string
  readonly alt: string
}

/** A block of another editor, or of a later one: kept as it is, neither shown nor changed. */
interface ForeignBlock {
  readonly kind: 'foreign'
  readonly id: string
  readonly content: unknown
}

export type Block = TextBlock | ImageBlock | ForeignBlock

/** What a person edits. Ids are only for this editor's own use and never leave it. */
export interface Page {
  readonly title: string
  readonly blocks: readonly Block[]
}

/** The page with a block behind another one; `null` puts it first. */
export function insertAfter(page: Page, id: string | null, block: Block): Page {
  const at = id === null ? 0 : page.blocks.findIndex((other) => other.id === id) + 1
  return { ...page, blocks: page.blocks.toSpliced(at, 0, block) }
}

export const removeBlock = (page: Page, id: string): Page => ({
  ...page,
  blocks: page.blocks.filter((block) => block.id !== id),
})

export const replaceBlock = (page: Page, block: Block): Page => ({
  ...page,
  blocks: page.blocks.map((other) => (other.id === block.id ? block : other)),
})

/** The page with a block one place up (-1) or down (1); the same page at its ends. */
export function moveBlock(page: Page, id: string, by: -1 | 1): Page {
  const from = page.blocks.findIndex((block) => block.id === id)
  const block = page.blocks[from]
  const to = from + by
  if (block === undefined || to < 0 || to >= page.blocks.length) return page
  return { ...page, blocks: page.blocks.toSpliced(from, 1).toSpliced(to, 0, block) }
}

/** The text block cut in two at an offset; what follows becomes a paragraph with the given id. */
export function splitText(page: Page, block: TextBlock, offset: number, newId: string): Page {
  const head: TextBlock = { ...block, text: block.text.slice(0, offset) }
  const tail: TextBlock = { kind: 'paragraph', id: newId, text: block.text.slice(offset) }
  return insertAfter(replaceBlock(page, head), block.id, tail)
}

/** The files that the page's pictures use, each once. */
export const usedFiles = (page: Page): ReadonlySet<string> =>
  new Set(page.blocks.flatMap((block) => (block.kind === 'image' ? [block.file] : [])))

import type { JSONContent } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { NodeSelection, TextSelection } from '@tiptap/pm/state'

const containers: ReadonlySet<string> = new Set(['doc', 'section', 'column'])

/** The document range a block is inserted into: empty between two blocks, or a block to replace. */
export interface InsertRange {
  readonly from: number
  readonly to: number
}

const isEmptyParagraph = (node: Node | null): boolean => node?.type.name === 'paragraph' && node.content.size === 0

/** Where a new block goes: it replaces the empty paragraph at the cursor, or follows the current block. */
function insertRangeFor({ doc, selection: { $to } }: EditorState, node: Node): InsertRange {
  for (let { depth } = $to; depth >= 0; depth--) {
    const container = $to.node(depth)
    if (!containers.has(container.type.name)) continue
    const end = $to.indexAfter(depth)
    const around = depth < $to.depth ? $to.node(depth + 1) : null
    const start = isEmptyParagraph(around) ? end - 1 : end
    if (container.canReplaceWith(start, end, node.type))
      return { from: $to.posAtIndex(start, depth), to: $to.posAtIndex(end, depth) }
  }
  return { from: doc.content.size, to: doc.content.size }
}

/** Inserts a block at the cursor. Selects it, or moves the cursor into it if it contains text. */
export function insertBlock(state: EditorState, content: JSONContent): Transaction {
  const node = state.schema.nodeFromJSON(content)
  return insertNodeAt(state, node, insertRangeFor(state, node))
}

/** Inserts a block into a range. Selects it, or moves the cursor into it if it contains text. */
export function insertNodeAt(state: EditorState, node: Node, { from, to }: InsertRange): Transaction {
  const tr = state.tr.replaceWith(from, to, node)
  const selection = node.isAtom ? NodeSelection.create(tr.doc, from) : TextSelection.near(tr.doc.resolve(from + 1))
  return tr.setSelection(selection).scrollIntoView()
}

/** The range nearest to a position for a dropped file: between two blocks, or an empty block. */
export function insertRangeAt(state: EditorState, pos: number): InsertRange {
  const $pos = state.doc.resolve(pos)
  for (let depth = $pos.depth; depth > 0; depth--) {
    if (!containers.has($pos.node(depth - 1).type.name)) continue
    const block = $pos.node(depth)
    if (isEmptyParagraph(block)) return { from: $pos.before(depth), to: $pos.after(depth) }
    const isUpperHalf = pos - $pos.start(depth) < block.content.size / 2
    const edge = isUpperHalf && block.type.name !== 'title' ? $pos.before(depth) : $pos.after(depth)
    return { from: edge, to: edge }
  }
  return { from: pos, to: pos }
}

const emptyParagraph: JSONContent = { type: 'paragraph' }

/** Empty columns of equal width. */
export const emptyColumns = (count: number): JSONContent => ({
  type: 'columns',
  content: Array.from({ length: count }, () => ({ type: 'column', content: [emptyParagraph] })),
})

/** A section with a background and an empty paragraph. */
export const emptySection = (background: string | null): JSONContent => ({
  type: 'section',
  attrs: { background },
  content: [emptyParagraph],
})

import { Fragment } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { NodeSelection, TextSelection } from '@tiptap/pm/state'

import type { PlacedNode } from './block-path.ts'
import { blockPath } from './block-path.ts'

/** The section around the cursor; undefined outside of one. */
export const sectionAround = (state: EditorState): PlacedNode | undefined =>
  blockPath(state).find(({ node }) => node.type.name === 'section')

/**
 * Sets the background of the section around the selection, or wraps the selected top-level blocks in a new section.
 * null when the selection is only the title, or contains a section.
 */
export function setBackground(state: EditorState, background: string | null): Transaction | null {
  const section = sectionAround(state)
  if (section !== undefined) return state.tr.setNodeAttribute(section.pos, 'background', background)
  const { $from, $to } = state.selection
  const first = Math.max($from.index(0), 1)
  const end = Math.max($to.indexAfter(0), first + 1)
  const blocks = state.doc.children.slice(first, end)
  const sectionType = state.schema.nodes['section']
  // Sections cannot be nested.
  if (
    sectionType === undefined ||
    blocks.length === 0 ||
    blocks.some(({ type }) => type === sectionType) ||
    $to.index(0) === 0
  )
    return null
  const from = $from.posAtIndex(first, 0)
  const tr = state.tr.replaceWith(
    from,
    $from.posAtIndex(end, 0),
    sectionType.create({ background }, Fragment.from(blocks)),
  )
  const { selection } = state
  return tr.setSelection(
    selection instanceof NodeSelection
      ? NodeSelection.create(tr.doc, selection.from + 1)
      : TextSelection.between(
          tr.doc.resolve(Math.max(selection.anchor + 1, from + 2)),
          tr.doc.resolve(selection.head + 1),
        ),
  )
}

/** Removes a section and keeps its content. */
export function unwrapSection(state: EditorState, pos: number): Transaction {
  const section = state.doc.nodeAt(pos)
  return section === null ? state.tr : state.tr.replaceWith(pos, pos + section.nodeSize, section.content)
}

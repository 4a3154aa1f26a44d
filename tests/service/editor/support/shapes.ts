import { getSchema } from '@tiptap/core'
import type { JSONContent } from '@tiptap/core'
import { EditorState, NodeSelection, TextSelection } from '@tiptap/pm/state'

import { pageExtensions } from '../../../../packages/service/editor/prose/extensions.ts'

const schema = getSchema(pageExtensions(() => []))

export const p = (text: string): JSONContent => ({
  type: 'paragraph',
  content: text === '' ? [] : [{ type: 'text', text }],
})

export const space: JSONContent = { type: 'spacer' }

export const columns = (...each: readonly (readonly JSONContent[])[]): JSONContent => ({
  type: 'columns',
  content: each.map((content) => ({ type: 'column', content: [...content] })),
})

export const section = (...content: readonly JSONContent[]): JSONContent => ({ type: 'section', content: [...content] })

/** A page's shape in few signs: `a` a paragraph, `_` an empty one, `-` a space, `[a|b]` columns, `(a)` a section. */
export function shape(node: EditorState['doc']): string {
  switch (node.type.name) {
    case 'doc':
      return node.children.slice(1).map(shape).join('')
    case 'columns':
      return `[${node.children.map(shape).join('|')}]`
    case 'section':
      return `(${node.children.map(shape).join('')})`
    case 'spacer':
      return '-'
    case 'paragraph':
      return node.textContent || '_'
    default:
      return node.children.map(shape).join('')
  }
}

/** A page with an empty title and these blocks; the cursor is in the title. */
export function stateOf(...content: readonly JSONContent[]): EditorState {
  const doc = schema.nodeFromJSON({ type: 'doc', content: [{ type: 'title' }, ...content] })
  doc.check()
  return EditorState.create({ doc })
}

/** The position of the first such node. */
export function find(state: EditorState, wanted: (node: EditorState['doc']) => boolean): number {
  let found = -1
  state.doc.descendants((node, pos) => {
    if (found < 0 && wanted(node)) found = pos
  })
  return found
}

export const findKind = (state: EditorState, kind: string): number => find(state, (node) => node.type.name === kind)

/** The text from one paragraph to another selected. */
export const cursorIn = (state: EditorState, text: string, to = text): EditorState =>
  state.apply(
    state.tr.setSelection(
      TextSelection.create(
        state.doc,
        find(state, (node) => node.text === text),
        find(state, (node) => node.text === to) + 1,
      ),
    ),
  )

/** The cursor in the first empty paragraph. */
export const cursorInEmpty = (state: EditorState): EditorState =>
  state.apply(
    state.tr.setSelection(
      TextSelection.create(
        state.doc,
        find(state, ({ type, content }) => type.name === 'paragraph' && content.size === 0) + 1,
      ),
    ),
  )

export const select = (state: EditorState, pos: number): EditorState =>
  state.apply(state.tr.setSelection(NodeSelection.create(state.doc, pos)))

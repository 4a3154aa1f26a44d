import type { EditorState, Transaction } from '@tiptap/pm/state'

/** More columns than this are hard to read. */
export const columnLimit = 4

/** Adds an empty column. */
export function addColumn({ doc, schema, tr }: EditorState, pos: number): Transaction {
  const columns = doc.nodeAt(pos)
  const column = schema.nodes['column']?.createAndFill()
  return columns == null || column == null ? tr : tr.insert(pos + columns.nodeSize - 1, column)
}

/** Removes the last column and appends its content to the previous one; two columns become plain blocks. */
export function mergeLastColumn({ doc, tr }: EditorState, pos: number): Transaction {
  const columns = doc.nodeAt(pos)
  const last = columns?.lastChild
  if (columns == null || last == null) return tr
  const end = pos + columns.nodeSize - 1
  if (columns.childCount <= 2) {
    const content = columns.children.flatMap((column) => column.children)
    return tr.replaceWith(pos, pos + columns.nodeSize, content)
  }
  tr.delete(end - last.nodeSize, end)
  return tr.insert(end - last.nodeSize - 1, last.content)
}

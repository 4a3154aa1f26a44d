import type { Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

/**
 * Sets a field of the block at a position, or of the page when there is none. What is typed into one input in a row is
 * undone in one step: the history takes a transaction that is appended to another as part of it.
 */
export function setField(
  view: EditorView,
  pos: number | null,
  name: string,
  value: unknown,
  continued: Transaction | null = null,
): Transaction {
  const { tr } = view.state
  if (pos === null) tr.setDocAttribute(name, value)
  else tr.setNodeAttribute(pos, name, value)
  if (continued !== null) tr.setMeta('appendedTransaction', continued)
  view.dispatch(tr)
  return tr
}

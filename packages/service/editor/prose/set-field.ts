import type { Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

/**
 * Sets a field of the block at a position, or of the page when there is none. Consecutive typing in one input is undone
 * in one step: the history treats an appended transaction as part of the previous one.
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

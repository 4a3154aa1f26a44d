import { Extension } from '@tiptap/core'
import { Fragment } from '@tiptap/pm/model'
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { NodeSelection, Selection, TextSelection } from '@tiptap/pm/state'

const containers: ReadonlySet<string> = new Set(['doc', 'section', 'column', 'columns'])

/** The selection as a run of adjacent blocks in one container. */
export interface SelectedBlocks {
  readonly $pos: ResolvedPos
  readonly depth: number
  readonly first: number
  /** Exclusive. */
  readonly end: number
}

/** The blocks that a block command applies to; null in the title. */
export function selectedBlocks({ selection }: EditorState): SelectedBlocks | null {
  const { $from, $to } = selection
  let depth = selection instanceof NodeSelection ? $from.depth : $from.sharedDepth($to.pos)
  while (depth > 0 && !containers.has($from.node(depth).type.name)) depth--
  const first = $from.index(depth)
  const end = Math.max($to.indexAfter(depth), first + 1)
  return depth === 0 && first === 0 ? null : { $pos: $from, depth, first, end }
}

type Direction = 'up' | 'down'

/** Where the blocks move: past a sibling, or out of the container at its edge; null at the end of the page. */
function targetOf({ $pos, depth, first, end }: SelectedBlocks, direction: Direction): number | null {
  const container = $pos.node(depth)
  if (direction === 'up' && first > (depth === 0 ? 1 : 0)) return $pos.posAtIndex(first - 1, depth)
  if (direction === 'down' && end < container.childCount) return $pos.posAtIndex(end + 1, depth)
  if (depth === 0 || container.type.name === 'columns') return null
  if (container.type.name === 'section') return direction === 'up' ? $pos.before(depth) : $pos.after(depth)
  // Out of a column: into the next one, or past all columns.
  const columns = $pos.node(depth - 1)
  const column = $pos.index(depth - 1) + (direction === 'up' ? -1 : 1)
  if (column < 0) return $pos.before(depth - 1)
  if (column >= columns.childCount) return $pos.after(depth - 1)
  return direction === 'up' ? $pos.before(depth) - 1 : $pos.after(depth) + 1
}

/** Moves the selected blocks by one position; null at the end of the page. */
export function moveBlocks(state: EditorState, direction: Direction): Transaction | null {
  const blocks = selectedBlocks(state)
  const target = blocks === null ? null : targetOf(blocks, direction)
  if (blocks === null || target === null) return null
  const { $pos, depth, first, end } = blocks
  const container = $pos.node(depth)
  const from = $pos.posAtIndex(first, depth)
  const to = $pos.posAtIndex(end, depth)
  const moved = Fragment.from(container.children.slice(first, end))
  // A section without blocks is removed; an empty column stays.
  const isLeftEmpty = container.type.name === 'section' && moved.childCount === container.childCount
  const tr = isLeftEmpty ? state.tr.delete($pos.before(depth), $pos.after(depth)) : state.tr.delete(from, to)
  const at = tr.mapping.map(target, direction === 'up' ? -1 : 1)
  tr.insert(at, moved)
  const { selection } = state
  const shift = at - from
  tr.setSelection(
    selection instanceof NodeSelection
      ? NodeSelection.create(tr.doc, selection.from + shift)
      : TextSelection.create(tr.doc, selection.anchor + shift, selection.head + shift),
  )
  return tr.scrollIntoView()
}

/** Deletes the selected blocks, and a section that becomes empty. null in the title. */
export function deleteBlocks(state: EditorState): Transaction | null {
  const blocks = selectedBlocks(state)
  if (blocks === null) return null
  const { $pos, depth, first, end } = blocks
  const isWhole = $pos.node(depth).type.name === 'section' && end - first === $pos.node(depth).childCount
  const tr = isWhole
    ? state.tr.delete($pos.before(depth), $pos.after(depth))
    : state.tr.delete($pos.posAtIndex(first, depth), $pos.posAtIndex(end, depth))
  return tr.scrollIntoView()
}

/** Selects the block around the selection, up to the page's top-level blocks; null when there is none. */
export function selectAround({ doc, tr, selection }: EditorState): Transaction | null {
  const { $from } = selection
  const depth = selection instanceof NodeSelection ? $from.depth : $from.sharedDepth(selection.to)
  if (depth === 0 || $from.node(depth).type.name === 'title') return null
  return tr.setSelection(NodeSelection.create(doc, $from.before(depth)))
}

/** Keyboard shortcuts for whole blocks, the same as the toolbar's buttons. */
export const blockKeys = Extension.create({
  name: 'blockKeys',
  addKeyboardShortcuts() {
    const run = (command: (state: EditorState) => Transaction | null) => () => {
      const tr = command(this.editor.state)
      if (tr !== null) this.editor.view.dispatch(tr)
      return true
    }
    /** While a block is selected there is no text cursor that the browser could move. */
    const leaveBlock = (edge: (doc: Node) => Selection) => () => {
      const { state, view } = this.editor
      if (!(state.selection instanceof NodeSelection)) return false
      view.dispatch(state.tr.setSelection(edge(state.doc)).scrollIntoView())
      return true
    }
    const [toStart, toEnd] = [leaveBlock((doc) => Selection.atStart(doc)), leaveBlock((doc) => Selection.atEnd(doc))]
    return {
      'Mod-Home': toStart,
      'Mod-End': toEnd,
      'Alt-Shift-ArrowUp': run((state) => moveBlocks(state, 'up')),
      'Alt-Shift-ArrowDown': run((state) => moveBlocks(state, 'down')),
      'Alt-Shift-Backspace': run(deleteBlocks),
      Escape: run(selectAround),
    }
  },
})

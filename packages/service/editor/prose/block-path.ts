import type { Node } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'
import { NodeSelection } from '@tiptap/pm/state'

/** A block around the cursor, with its position. */
export interface PlacedNode {
  readonly node: Node
  readonly pos: number
}

/** The blocks around the cursor, innermost first, without the page itself. */
export function blockPath({ selection }: EditorState): readonly PlacedNode[] {
  const { $from } = selection
  const path: PlacedNode[] = selection instanceof NodeSelection ? [{ node: selection.node, pos: selection.from }] : []
  for (let { depth } = $from; depth > 0; depth--) path.push({ node: $from.node(depth), pos: $from.before(depth) })
  return path
}

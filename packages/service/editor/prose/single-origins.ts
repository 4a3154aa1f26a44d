import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { Plugin } from '@tiptap/pm/state'

/** Positions of the blocks by their original text; a foreign block consists of nothing else. */
function positionsByOrigin(doc: Node): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>()
  doc.descendants((node, pos) => {
    const origin: unknown = node.attrs['origin']
    if (node.type.name === 'foreign' || typeof origin !== 'string') return
    const known = positions.get(origin)
    if (known === undefined) positions.set(origin, [pos])
    else known.push(pos)
  })
  return positions
}

/**
 * Clears the original text of blocks that were split off or copied: foreign members, such as an id, belong to a single
 * block. Blocks that had equal texts when the page was opened keep theirs. null when nothing changes.
 */
function withSingleOrigins(before: EditorState, after: EditorState): Transaction | null {
  const earlier = positionsByOrigin(before.doc)
  const { tr } = after
  for (const [origin, positions] of positionsByOrigin(after.doc)) {
    const keptCount = Math.max(1, earlier.get(origin)?.length ?? 0)
    for (const pos of positions.slice(keptCount)) tr.setNodeAttribute(pos, 'origin', null)
  }
  return tr.docChanged ? tr : null
}

export const SingleOrigins = Extension.create({
  name: 'singleOrigins',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, before, after) =>
        transactions.some(({ docChanged }) => docChanged) ? withSingleOrigins(before, after) : null,
    }),
  ],
})

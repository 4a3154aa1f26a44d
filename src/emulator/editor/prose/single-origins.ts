import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { Plugin } from '@tiptap/pm/state'

/** Where the blocks that came with each origin stand; foreign blocks are nothing but their origin. */
function placesByOrigin(doc: Node): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  doc.descendants((node, pos) => {
    const origin: unknown = node.attrs['origin']
    if (node.type.name === 'foreign' || typeof origin !== 'string') return
    const known = places.get(origin)
    if (known === undefined) places.set(origin, [pos])
    else known.push(pos)
  })
  return places
}

/**
 * Takes the origin off blocks that were split off or copied: what others wrote into a block, such as its id, belongs
 * to one block alone. Blocks that had the same text when the page was opened keep theirs. null when there are none.
 */
function withSingleOrigins(before: EditorState, after: EditorState): Transaction | null {
  const earlier = placesByOrigin(before.doc)
  const { tr } = after
  for (const [origin, places] of placesByOrigin(after.doc)) {
    const rightful = Math.max(1, earlier.get(origin)?.length ?? 0)
    for (const pos of places.slice(rightful)) tr.setNodeAttribute(pos, 'origin', null)
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

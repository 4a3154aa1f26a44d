import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

const isEmptyText = (node: Node | undefined): boolean => node?.isTextblock === true && node.content.size === 0

/** The placeholder of an empty block: always in the title, on an empty page, and at the cursor. */
function hintOf(node: Node, isCurrent: boolean, isEmptyPage: boolean): string | null {
  if (!isEmptyText(node)) return null
  if (node.type.name === 'title') return 'Title'
  if (node.type.name === 'heading') return 'Heading'
  if (isEmptyPage) return 'Write, or type / for pictures, columns and more. You can drop or paste pictures.'
  return isCurrent ? 'Write, or type / to insert' : null
}

/** Placeholders in empty blocks. They are CSS content, so they cannot be selected or saved. */
export const Hints = Extension.create({
  name: 'hints',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc, selection }) {
          const isEmptyPage = doc.childCount === 2 && isEmptyText(doc.child(1))
          const hints: Decoration[] = []
          doc.descendants((node, pos) => {
            const isCurrent = selection.empty && selection.$from.parent === node
            const hint = hintOf(node, isCurrent, isEmptyPage)
            if (hint !== null) hints.push(Decoration.node(pos, pos + node.nodeSize, { 'data-hint': hint }))
            return !node.isTextblock
          })
          return DecorationSet.create(doc, hints)
        },
      },
    }),
  ],
})

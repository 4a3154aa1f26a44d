import type { Extensions } from '@tiptap/core'
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { StarterKit } from '@tiptap/starter-kit'

import { isSafeLink } from '../page/links.ts'
import { lookOfFields } from '../page/looks.ts'
import type { AddressesOf } from './media-node.ts'
import { mediaNode } from './media-node.ts'
import {
  ColumnNode,
  ColumnsNode,
  ForeignNode,
  KindAttributes,
  PageNode,
  SectionNode,
  SpacerNode,
  TableCellNode,
  TableNode,
  TableRowNode,
  TitleNode,
} from './nodes.ts'
import { blockKeys } from './whole-blocks.ts'

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

const SingleOrigins = Extension.create({
  name: 'singleOrigins',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, before, after) =>
        transactions.some(({ docChanged }) => docChanged) ? withSingleOrigins(before, after) : null,
    }),
  ],
})

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
const Hints = Extension.create({
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

/** Shows the page's fonts and background on the canvas, as on the published article. */
const PageLook = Extension.create({
  name: 'pageLook',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: { attributes: ({ doc }) => ({ class: 'folio', style: lookOfFields(doc.attrs).style ?? '' }) },
    }),
  ],
})

/** The editor's schema and behaviour: one document for the whole page. */
export const pageExtensions = (addressesOf: AddressesOf): Extensions => [
  StarterKit.configure({
    document: false,
    code: false,
    codeBlock: false,
    strike: false,
    underline: false,
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => isSafeLink(address),
      HTMLAttributes: { target: null, rel: null },
    },
    trailingNode: { node: 'paragraph' },
    dropcursor: { color: false, class: 'drop-place' },
  }),
  PageNode,
  TitleNode,
  mediaNode('image').configure({ addressesOf }),
  mediaNode('video').configure({ addressesOf }),
  SpacerNode,
  ColumnsNode,
  ColumnNode,
  TableNode,
  TableRowNode,
  TableCellNode,
  SectionNode,
  ForeignNode,
  KindAttributes,
  PageLook,
  SingleOrigins,
  Hints,
  blockKeys,
]

import type { Extensions } from '@tiptap/core'
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { StarterKit } from '@tiptap/starter-kit'

import { isSafeLink } from '../page/links.ts'
import { lookOfFields } from '../page/looks.ts'
import { Hints } from './hints.ts'
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
import { SingleOrigins } from './single-origins.ts'
import { blockKeys } from './whole-blocks.ts'

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

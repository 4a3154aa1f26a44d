import type { Editor } from '@tiptap/core'
import type { LucideIcon } from 'lucide-react'
import {
  Columns2,
  Columns3,
  Film,
  Heading2,
  Heading3,
  Image,
  List,
  ListOrdered,
  Minus,
  PaintBucket,
  Quote,
  UnfoldVertical,
} from 'lucide-react'

import { emptyColumns, emptySection, insertBlock } from '../prose/insert-block.ts'
import type { MediaKind } from '../session/media-files.ts'

/** The default background of a section: a grey that suits dark and light sites. */
const firstBackground = '#eef1f5'

/** Dependencies for inserting blocks: the editor, and a file chooser. */
export interface InsertPorts {
  readonly editor: Editor
  readonly chooseMedia: (kind: MediaKind) => void
}

/** An entry of the insert menu and of the `/` menu. */
export interface Insertable {
  readonly name: string
  readonly hint: string
  readonly icon: LucideIcon
  /** Additional search words for the `/` menu. */
  readonly words: string
  readonly insert: (ports: InsertPorts) => void
}

const put =
  (content: Parameters<typeof insertBlock>[1]) =>
  ({ editor: { view } }: InsertPorts): void =>
    view.dispatch(insertBlock(view.state, content))

export const insertables: readonly Insertable[] = [
  {
    name: 'Picture',
    hint: 'From a file',
    icon: Image,
    words: 'image photo',
    insert: ({ chooseMedia }) => chooseMedia('image'),
  },
  {
    name: 'Video',
    hint: 'From a file',
    icon: Film,
    words: 'film movie',
    insert: ({ chooseMedia }) => chooseMedia('video'),
  },
  {
    name: 'Heading',
    hint: 'Section heading',
    icon: Heading2,
    words: 'title h2',
    insert: put({ type: 'heading', attrs: { level: 2 } }),
  },
  {
    name: 'Small heading',
    hint: 'Subsection heading',
    icon: Heading3,
    words: 'title h3',
    insert: put({ type: 'heading', attrs: { level: 3 } }),
  },
  {
    name: 'Bulleted list',
    hint: 'Unordered items',
    icon: List,
    words: 'ul bullets',
    insert: ({ editor }) => void editor.commands.toggleBulletList(),
  },
  {
    name: 'Numbered list',
    hint: 'Ordered items',
    icon: ListOrdered,
    words: 'ol numbers',
    insert: ({ editor }) => void editor.commands.toggleOrderedList(),
  },
  {
    name: 'Quote',
    hint: 'Pull quote',
    icon: Quote,
    words: 'blockquote',
    insert: ({ editor }) => void editor.commands.toggleBlockquote(),
  },
  {
    name: 'Two columns',
    hint: 'Side by side, stacked on phones',
    icon: Columns2,
    words: 'layout grid',
    insert: put(emptyColumns(2)),
  },
  {
    name: 'Three columns',
    hint: 'Side by side, stacked on phones',
    icon: Columns3,
    words: 'layout grid',
    insert: put(emptyColumns(3)),
  },
  {
    name: 'Section',
    hint: 'Block with its own background',
    icon: PaintBucket,
    words: 'background colour color band',
    insert: put(emptySection(firstBackground)),
  },
  {
    name: 'Space',
    hint: 'Empty space',
    icon: UnfoldVertical,
    words: 'spacing gap',
    insert: put({ type: 'spacer' }),
  },
  {
    name: 'Line',
    hint: 'Horizontal rule',
    icon: Minus,
    words: 'divider rule hr',
    insert: put({ type: 'horizontalRule' }),
  },
]

/** Entries whose name or search words have a word that starts with the typed text. */
export const matching = (typed: string): readonly Insertable[] => {
  const wanted = typed.toLowerCase()
  return insertables.filter(({ name, words }) =>
    `${name} ${words}`
      .toLowerCase()
      .split(' ')
      .some((_word, index, all) => all.slice(index).join(' ').startsWith(wanted)),
  )
}

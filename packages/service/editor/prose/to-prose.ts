import type { JSONContent } from '@tiptap/core'

import type { Block, Page } from '../page/page.ts'
import type { Span } from '../page/spans.ts'

const marksOf = ({ bold, italic, link }: Span): NonNullable<JSONContent['marks']> => [
  ...(link === null ? [] : [{ type: 'link', attrs: { href: link } }]),
  ...(bold ? [{ type: 'bold' }] : []),
  ...(italic ? [{ type: 'italic' }] : []),
]

/** Converts a span to text nodes with hard breaks between its lines. */
function inline(span: Span): readonly JSONContent[] {
  const marks = marksOf(span)
  return span.text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: 'hardBreak', marks }] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line, marks }]),
    ])
}

/** Containers need at least one block: an empty paragraph, which `toPage` removes again. */
const filled = (content: readonly JSONContent[]): JSONContent[] =>
  content.length === 0 ? [{ type: 'paragraph' }] : [...content]

const childless: ReadonlySet<Block['kind']> = new Set(['foreign', 'horizontalRule', 'image', 'video', 'spacer'])

function node(block: Block): JSONContent {
  const attrs = { ...(block.kind === 'foreign' ? {} : block.fields), origin: block.origin }
  if (block.kind === 'foreign' || childless.has(block.kind)) return { type: block.kind, attrs }
  const isText = block.kind === 'paragraph' || block.kind === 'heading'
  return { type: block.kind, attrs, content: isText ? block.text.flatMap(inline) : filled(block.blocks.map(node)) }
}

/** Converts the page to the editor's document, with an empty last line, which `toPage` removes again. */
export const toProse = ({ title, style, blocks }: Page): JSONContent => ({
  type: 'doc',
  attrs: { ...style.fields, origin: style.origin },
  content: [
    { type: 'title', content: title === '' ? [] : [{ type: 'text', text: title }] },
    ...blocks.map(node),
    ...(blocks.at(-1)?.kind === 'paragraph' ? [] : [{ type: 'paragraph' }]),
  ],
})

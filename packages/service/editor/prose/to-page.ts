import type { Node } from '@tiptap/pm/model'

import type { FieldsOf, KindName } from '../page/kinds.ts'
import { fieldsOfKind, isKindName } from '../page/kinds.ts'
import { isSafeLink } from '../page/links.ts'
import type { Block, KnownBlock, Page } from '../page/page.ts'
import { block } from '../page/page.ts'
import type { Span } from '../page/spans.ts'
import { joined } from '../page/spans.ts'

function toSpan(node: Node): Span {
  const link: unknown = node.marks.find(({ type }) => type.name === 'link')?.attrs['href']
  return {
    text: node.type.name === 'hardBreak' ? '\n' : (node.text ?? ''),
    bold: node.marks.some(({ type }) => type.name === 'bold'),
    italic: node.marks.some(({ type }) => type.name === 'italic'),
    // A link that was pasted over words may have any address.
    link: typeof link === 'string' && isSafeLink(link) ? link : null,
  }
}

/** Most attributes of the schema derive from the table of kinds; the others may have values that no field has. */
const fieldsOf = <Name extends KindName>(name: Name, node: Node): FieldsOf<Name> =>
  Object.fromEntries(
    Object.entries(fieldsOfKind(name)).map(([key, field]) => {
      const value: unknown = node.attrs[key]
      return [key, field.accepts(value) ? value : field.initial]
    }),
  ) as FieldsOf<Name>

const originOf = (node: Node): string | null => (node.attrs['origin'] as string | null | undefined) ?? null

/** Whether this is only the empty line that the editor keeps at the end of a container. */
const isFiller = (node: Node): boolean =>
  node.type.name === 'paragraph' && node.childCount === 0 && originOf(node) === null

function toBlocks(nodes: readonly Node[]): readonly Block[] {
  const last = nodes.findLastIndex((node) => !isFiller(node))
  return nodes.slice(0, last + 1).map(toBlock)
}

function toBlock(node: Node): Block {
  const name = node.type.name
  if (!isKindName(name)) return { kind: 'foreign', origin: originOf(node) ?? 'null' }
  return block(name, fieldsOf(name, node), {
    origin: originOf(node),
    text: node.isTextblock ? joined(node.children.map(toSpan)) : [],
    blocks: node.isTextblock ? [] : toBlocks(node.children),
  }) as KnownBlock
}

/** Converts the editor's document to the page that is saved. */
export function toPage(doc: Node): Page {
  const [title, ...blocks] = doc.children
  return {
    title: title?.textContent ?? '',
    style: block('page', fieldsOf('page', doc), { origin: originOf(doc) }),
    blocks: toBlocks(blocks),
  }
}

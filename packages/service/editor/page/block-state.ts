import { membersOf, memberText, objectText, setMembers, withoutMembers } from '../../json/object-text.ts'
import { itemTexts } from './array-text.ts'
import type { FieldsOf, KindName } from './kinds.ts'
import { fieldsOfKind, isKindName, kinds } from './kinds.ts'
import type { Block, ForeignBlock, KnownBlock } from './page.ts'
import { block, isSame } from './page.ts'
import { readText, writeText } from './spans.ts'

/** Reads the blocks of an array text. Blocks this editor does not fully support become foreign blocks. */
export const readBlocks = (items: readonly string[]): readonly Block[] =>
  items.map((text): Block => readBlock(text) ?? ({ kind: 'foreign', origin: text } satisfies ForeignBlock))

function readBlock(text: string): KnownBlock | null {
  const type = valueOf(text, 'type')
  return isKindName(type) && type !== 'page' ? readKind(type, text) : null
}

const valueOf = (text: string, key: string): unknown => {
  const member = memberText(text, key)
  return member === null ? undefined : (JSON.parse(member) as unknown)
}

/** Reads a block of this kind from its JSON object; null when one of its values is invalid. */
export function readKind<Name extends KindName>(kind: Name, text: string): Extract<KnownBlock, { kind: Name }> | null {
  if (membersOf(text).length === 0 && text.trim() !== '{}') return null
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fieldsOfKind(kind))) {
    const value = valueOf(text, name) ?? field.initial
    if (!field.accepts(value)) return null
    values[name] = value
  }
  const { holds } = kinds[kind]
  const spans = holds === 'text' ? readText(valueOf(text, 'text')) : []
  const items = typeof holds === 'string' || kind === 'page' ? [] : itemTexts(memberText(text, 'blocks') ?? '[]')
  if (spans === null || items === null) return null
  const blocks = readBlocks(items)
  if (!isAllowed(kind, blocks)) return null
  // The field table has just validated every value.
  return block(kind, values as FieldsOf<Name>, { origin: text, text: spans, blocks }) as Extract<
    KnownBlock,
    { kind: Name }
  >
}

function isAllowed(kind: KindName, blocks: readonly Block[]): boolean {
  const holds: 'text' | 'nothing' | readonly string[] = kinds[kind].holds
  if (typeof holds === 'string') return true
  if (kind === 'listItem' && blocks.length > 0 && blocks[0]?.kind !== 'paragraph') return false
  // Lists and columns need content; other blocks may be empty.
  if (holds.length === 1 && blocks.length === 0) return false
  return blocks.every((each) => holds.includes(each.kind))
}

/** The JSON text of blocks. An unchanged block keeps its original text exactly. */
export const writeBlocks = (blocks: readonly Block[]): string => `[${blocks.map(writeBlock).join(',')}]`

function writeBlock(each: Block): string {
  if (each.kind === 'foreign') return each.origin
  if (each.origin !== null && isSame(readBlock(each.origin), each)) return each.origin
  return writeKind(each, [['type', JSON.stringify(each.kind)]])
}

/** The members of a block, written over its original ones; default values are omitted. */
export function writeKind(each: KnownBlock, first: readonly (readonly [string, string])[] = []): string {
  const values: Readonly<Record<string, unknown>> = each.fields
  const fields = Object.entries(fieldsOfKind(each.kind))
  const said = fields.filter(([name, field]) => values[name] !== field.initial)
  const members = new Map([...first, ...said.map(([name]) => [name, JSON.stringify(values[name])] as const)])
  if (each.text.length > 0) members.set('text', writeText(each.text))
  if (each.blocks.length > 0) members.set('blocks', writeBlocks(each.blocks))
  if (each.origin === null) return objectText(members)
  const ours = new Set([...fields.map(([name]) => name), 'text', 'blocks'])
  return setMembers(
    withoutMembers(each.origin, (key) => ours.has(key) && !members.has(key)),
    members,
  )
}

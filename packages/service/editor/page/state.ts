import { membersOf, memberText, objectText, setMembers, withoutMembers } from '../../json/object-text.ts'
import { assetsText } from '../../saving/state-assets.ts'
import { itemTexts } from './array-text.ts'
import type { Asset, Assets } from './assets.ts'
import type { FieldsOf, KindName } from './kinds.ts'
import { fieldsOfKind, isKindName, kinds } from './kinds.ts'
import type { Block, ForeignBlock, KnownBlock, Page } from './page.ts'
import { block, everyBlock, isSame, usedFiles } from './page.ts'
import { readText, writeText } from './spans.ts'

/** A parsed `vms_json` together with its text, which keeps members this editor does not know. */
export interface OpenedState {
  readonly text: string
  readonly page: Page
  readonly assets: Assets
}

const ownMembers: ReadonlySet<string> = new Set(['title', 'blocks', 'assets', 'page'])

const noStyle = block('page', { headingFont: null, textFont: null, background: null })

const stringOf = (text: string | null): string => (text?.startsWith('"') === true ? (JSON.parse(text) as string) : '')

function readAssets(state: string): Assets {
  const text = assetsText(state)
  return new Map(
    membersOf(text).map(({ key, start, end }): [string, Asset] => {
      const entry = text.slice(start, end)
      return [key, { clientUrl: stringOf(memberText(entry, 'clientUrl')), entry }]
    }),
  )
}

/** Reads the blocks of an array text. Blocks this editor does not fully support become foreign blocks. */
const readBlocks = (items: readonly string[]): readonly Block[] =>
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
function readKind<Name extends KindName>(kind: Name, text: string): Extract<KnownBlock, { kind: Name }> | null {
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
const writeBlocks = (blocks: readonly Block[]): string => `[${blocks.map(writeBlock).join(',')}]`

function writeBlock(each: Block): string {
  if (each.kind === 'foreign') return each.origin
  if (each.origin !== null && isSame(readBlock(each.origin), each)) return each.origin
  return writeKind(each, [['type', JSON.stringify(each.kind)]])
}

/** The members of a block, written over its original ones; default values are omitted. */
function writeKind(each: KnownBlock, first: readonly (readonly [string, string])[] = []): string {
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

function readTopBlocks(text: string | null): readonly Block[] {
  if (text === null) return []
  return readBlocks(itemTexts(text) ?? [text])
}

/** Reads a state of this editor, an empty one, or a foreign one. Foreign parts are kept and shown as placeholders. */
export function readState(given: string): OpenedState {
  // PHP sites write an empty object as `[]`.
  const text = given.trimStart().startsWith('{') ? given : '{}'
  const style = memberText(text, 'page')
  return {
    text,
    page: {
      title: stringOf(memberText(text, 'title')),
      style: (style === null ? null : readKind('page', style)) ?? noStyle,
      blocks: readTopBlocks(memberText(text, 'blocks')),
    },
    assets: readAssets(text),
  }
}

/** Whether the state has parts that this editor keeps without understanding them. */
export const hasForeignParts = ({ text, page }: OpenedState): boolean =>
  membersOf(text).some(({ key }) => !ownMembers.has(key)) ||
  [...everyBlock(page.blocks)].some(({ kind }) => kind === 'foreign')

/** The member `assets`: adds entries of used files, and removes unused ones unless foreign parts may need them. */
function writeAssets(opened: OpenedState, page: Page, assets: Assets): string {
  const used = usedFiles(page)
  const text = assetsText(opened.text)
  const kept = hasForeignParts(opened) ? text : withoutMembers(text, (name) => !used.has(name))
  const there = new Set(membersOf(kept).map(({ key }) => key))
  const added = [...used].filter((name) => !there.has(name)).map((name) => [name, assets.get(name)?.entry] as const)
  return setMembers(kept, new Map(added.filter((entry): entry is [string, string] => entry[1] !== undefined)))
}

/**
 * The state to save (contract, Editor state): the original text, with only those members rewritten that differ from the
 * page.
 */
export function writeState(opened: OpenedState, page: Page, assets: Assets): string {
  const members = new Map<string, string>()
  if (page.title !== opened.page.title) members.set('title', JSON.stringify(page.title))
  if (!isSame(page.style, opened.page.style)) members.set('page', writeKind(page.style))
  if (!isSame(page.blocks, opened.page.blocks)) members.set('blocks', writeBlocks(page.blocks))
  const writtenAssets = writeAssets(opened, page, assets)
  if (writtenAssets !== memberText(opened.text, 'assets')) members.set('assets', writtenAssets)
  return opened.text.trim() === '{}' ? objectText(members) : setMembers(opened.text, members)
}

import { membersOf, memberText, objectText, setMembers, withoutMembers } from '../../json/object-text.ts'
import { assetsText } from '../../saving/state-assets.ts'
import { itemTexts } from './array-text.ts'
import type { Asset, Assets } from './assets.ts'
import { readBlocks, readKind, writeBlocks, writeKind } from './block-state.ts'
import type { Block, Page } from './page.ts'
import { block, everyBlock, isSame, usedFiles } from './page.ts'

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

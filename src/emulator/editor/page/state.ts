import type { Asset, Assets } from './assets.ts'
import type { Block, Page } from './page.ts'
import { usedFiles } from './page.ts'

/** A `vms_json` as this editor reads it, with everything it does not know beside. */
export interface OpenedState {
  readonly page: Page
  readonly assets: Assets
  /** Members of the state other than `title`, `blocks` and `assets`; they go back as they came. */
  readonly rest: Readonly<Record<string, unknown>>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function toBlock(content: unknown, id: string): Block {
  if (isObject(content)) {
    const { type, text, file, alt } = content
    if (type === 'paragraph' || type === 'heading') return { kind: type, id, text: textOf(text) }
    if (type === 'image' && typeof file === 'string') return { kind: 'image', id, file, alt: textOf(alt) }
  }
  return { kind: 'foreign', id, content }
}

function fromBlock(block: Block): unknown {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return { type: block.kind, text: block.text }
    case 'image':
      return { type: 'image', file: block.file, alt: block.alt }
    case 'foreign':
      return block.content
  }
}

function toAssets(value: unknown): Assets {
  const assets = new Map<string, Asset>()
  for (const [name, entry] of isObject(value) ? Object.entries(value) : [])
    assets.set(name, {
      ...(isObject(entry) ? entry : {}),
      clientUrl: textOf(isObject(entry) ? entry['clientUrl'] : ''),
    })
  return assets
}

/** Reads a state of this editor, an empty one, or anybody's: what is not ours is kept and not shown. */
export function readState(state: unknown, newId: () => string): OpenedState {
  const { title, blocks, assets, ...rest } = isObject(state) ? state : {}
  const list: readonly unknown[] = Array.isArray(blocks) ? blocks : []
  return {
    page: { title: textOf(title), blocks: list.map((content) => toBlock(content, newId())) },
    assets: toAssets(assets),
    rest,
  }
}

/** Whether the state was made by an editor whose parts this one cannot show. */
export const hasForeignParts = ({ page, rest }: OpenedState): boolean =>
  Object.keys(rest).length > 0 || page.blocks.some((block) => block.kind === 'foreign')

/**
 * The state to save (contract, Editor state): title, blocks, and `assets` of the files that are used. Files stay listed
 * while foreign parts are kept, because those may use them.
 */
export function writeState({ page, assets, rest }: OpenedState): Record<string, unknown> {
  const used = usedFiles(page)
  const isKept = hasForeignParts({ page, assets, rest }) ? () => true : (name: string) => used.has(name)
  return {
    ...rest,
    title: page.title,
    blocks: page.blocks.map(fromBlock),
    assets: Object.fromEntries([...assets].filter(([name]) => isKept(name))),
  }
}

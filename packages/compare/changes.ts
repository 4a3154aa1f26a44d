import type { Block, BlockKind, BlockPlace, Page } from './blocks.ts'
import { placeOf } from './blocks.ts'
import { isPlain, pairContainers, wrappersIn } from './containers.ts'
import type { Detail, Picture } from './content.ts'
import type { Parts } from './match.ts'
import { matchBlocks } from './match.ts'
import type { TextRange, WordChange } from './words.ts'
import { wordChange, WordReader } from './words.ts'

export type ChangeKind =
  | 'inserted'
  | 'removed'
  | 'moved'
  | 'split'
  | 'joined'
  | 'edited'
  | 'picture'
  | 'attribute'
  | 'style'
  /** Looks different although nothing changed in it, as pictures of both pages show. */
  | 'look'

/** One change of a block. A block that changed in several ways has one for each. */
export interface Change {
  readonly kind: ChangeKind
  readonly block: BlockKind
  /** The text as a reader sees it, pictures by their file names; null where the block is not in that page. */
  readonly before: string | null
  readonly after: string | null
  readonly words: { readonly added: number; readonly removed: number }
  /** Where it is in each page. A split text is at several places of the second, a joined one at several of the first. */
  readonly from: readonly BlockPlace[]
  readonly to: readonly BlockPlace[]
  /** Of a removed block: the one of the second page behind which it would be; null: it was the first one. */
  readonly behind: BlockPlace | null
  /** Of a moved block: whether the one before it moved with it. */
  readonly isWithPrevious: boolean
  /** Of an edited, split or joined text: what was taken from `before` and added to `after`, in UTF-16 units. */
  readonly removedRanges: readonly TextRange[]
  readonly addedRanges: readonly TextRange[]
  /** Of an attribute: its values, null where it is missing. */
  readonly details: readonly {
    readonly name: string
    readonly before: string | null
    readonly after: string | null
  }[]
}

const none = {
  words: { added: 0, removed: 0 },
  removedRanges: [],
  addedRanges: [],
  details: [],
  behind: null,
  isWithPrevious: false,
}

/** The changes of the blocks from one page to another, in the order of the second; removed blocks where they were. */
export function changesOf(one: Page, other: Page): readonly Change[] {
  return new Comparison(one.blocks, other.blocks).changes()
}

class Comparison {
  readonly #one: readonly Block[]
  readonly #other: readonly Block[]
  readonly #reader = new WordReader()
  readonly #found: { readonly at: number; readonly change: Change }[] = []

  constructor(one: readonly Block[], other: readonly Block[]) {
    this.#one = one
    this.#other = other
  }

  changes(): readonly Change[] {
    const { leaves, otherLeaves, pairs, partners, moved, splits, joins } = partnersIn(
      this.#one,
      this.#other,
      this.#reader,
    )
    const isWithPrevious = (order: number): boolean =>
      moved.has(leaves[order - 1] ?? -1) && pairs.toOther[order - 1] === (pairs.toOther[order] ?? -1) - 1
    for (const [order, at] of leaves.entries())
      if (moved.has(at)) this.#moved(at, partners[at] ?? -1, isWithPrevious(order))
    for (const [at, other] of partners.entries()) if (other !== -1) this.#pair(at, other)
    const fromSplits = this.#parts('split', splits, leaves, otherLeaves)
    const fromJoins = this.#parts('joined', joins, otherLeaves, leaves)
    const kept = new Set([...fromSplits.wholes, ...fromJoins.parts])
    const otherKept = new Set([...partners, ...fromSplits.parts, ...fromJoins.wholes])
    const isKept = (at: number): boolean => partners[at] !== -1 || kept.has(at)
    const isOtherKept = (at: number): boolean => otherKept.has(at)

    let before = -1
    const wrappers = new Set(wrappersIn(this.#one, isKept))
    for (const [at, block] of this.#one.entries()) {
      if (isKept(at) && !moved.has(at) && block.isEmpty) before = Math.max(before, partners[at] ?? -1)
      if ((block.isEmpty && !isKept(at) && !isPlain(block)) || wrappers.has(at)) {
        const last = this.#other[before]
        const behind = last === undefined ? null : placeOf(last)
        this.#add(before + 0.5, { ...this.#lone('removed', block), behind })
      }
    }
    const newWrappers = new Set(wrappersIn(this.#other, isOtherKept))
    for (const [at, block] of this.#other.entries())
      if ((block.isEmpty && !isOtherKept(at) && !isPlain(block)) || newWrappers.has(at))
        this.#add(at, this.#lone('inserted', block))
    return this.#found.toSorted((one, other) => one.at - other.at).map(({ change }) => change)
  }

  #add(at: number, change: Change): void {
    this.#found.push({ at, change })
  }

  #lone(kind: 'inserted' | 'removed', block: Block): Change {
    const words = this.#reader.tokens(block.text).filter(({ isWord }) => isWord).length
    const [shown, place] = [shownText(block), placeOf(block)]
    return kind === 'inserted'
      ? {
          ...none,
          kind,
          block: block.kind,
          before: null,
          after: shown,
          words: { added: words, removed: 0 },
          from: [],
          to: [place],
        }
      : {
          ...none,
          kind,
          block: block.kind,
          before: shown,
          after: null,
          words: { added: 0, removed: words },
          from: [place],
          to: [],
        }
  }

  #moved(at: number, otherAt: number, isWithPrevious: boolean): void {
    const [one, other] = [this.#one[at], this.#other[otherAt]]
    if (one !== undefined && other !== undefined)
      this.#add(otherAt, { ...both(one, other), kind: 'moved', isWithPrevious })
  }

  /** All changes of a block that is in both pages, but that it moved. */
  #pair(at: number, otherAt: number): void {
    const [one, other] = [this.#one[at], this.#other[otherAt]]
    if (one === undefined || other === undefined || one.key === other.key) return
    const base = both(one, other)
    if (one.text !== other.text)
      this.#add(otherAt, { ...base, ...edit(wordChange(one.text, other.text, this.#reader)), kind: 'edited' })
    const pictures = pictureChanges(one.pictures, other.pictures)
    for (const { before, after } of pictures) this.#add(otherAt, { ...base, kind: 'picture', before, after })
    const details = detailChanges(one.attributes, other.attributes, pictures.length > 0)
    if (details.length > 0) this.#add(otherAt, { ...base, kind: 'attribute', details })
    // An equal paragraph that was taken out of a list looks different too.
    const isStyled =
      one.text === other.text && pictures.length === 0
        ? one.placedStyle !== other.placedStyle
        : one.style !== other.style
    if (isStyled || (one.kind !== other.kind && one.style === other.style))
      this.#add(otherAt, { ...base, kind: 'style' })
  }

  /** The changes of texts that are split, or joined with the sides exchanged. */
  #parts(
    kind: 'split' | 'joined',
    all: readonly Parts[],
    wholeLeaves: readonly number[],
    partLeaves: readonly number[],
  ): { readonly wholes: readonly number[]; readonly parts: readonly number[] } {
    const [wholeBlocks, partBlocks] = kind === 'split' ? [this.#one, this.#other] : [this.#other, this.#one]
    const found = all.map(({ whole, parts }) => ({
      whole: wholeLeaves[whole] ?? -1,
      parts: parts.map((part) => partLeaves[part] ?? -1),
    }))
    for (const { whole, parts } of found) {
      const block = wholeBlocks[whole]
      const others = parts.flatMap((part) => partBlocks[part] ?? [])
      if (block === undefined) continue
      const texts = [block.text, others.map(({ text }) => text).join('\n')]
      const places = [[placeOf(block)], others.map(placeOf)]
      const details = [block.attributes, others.flatMap(({ attributes }) => attributes)]
      if (kind === 'joined') for (const sides of [texts, places, details]) sides.reverse()
      const [before = '', after = ''] = texts
      const [from = [], to = []] = places
      const [old = [], now = []] = details
      const at = kind === 'split' ? (parts[0] ?? 0) : whole
      const base = { ...none, block: block.kind, before, after, from, to }
      const { words, removedRanges, addedRanges } = edit(wordChange(before, after, this.#reader))
      this.#add(at, { ...base, kind, words, removedRanges, addedRanges })
      // Attributes of the element itself are on each part; where links lead is as in one text.
      const inside = (each: Detail): boolean => each.name.includes('.')
      const links = detailChanges(old.filter(inside), now.filter(inside), false)
      if (links.length > 0) this.#add(at, { ...base, kind: 'attribute', details: links })
    }
    return { wholes: found.map(({ whole }) => whole), parts: found.flatMap(({ parts }) => parts) }
  }
}

/** Which block of the second page belongs to each of the first, -1 for none, and what else is known of the leaves. */
function partnersIn(one: readonly Block[], other: readonly Block[], reader: WordReader) {
  const [leaves, otherLeaves] = [leavesIn(one), leavesIn(other)]
  const blocksAt = (leaves: readonly number[], blocks: readonly Block[]): readonly Block[] =>
    leaves.flatMap((at) => blocks[at] ?? [])
  const { pairs, inOrder, splits, joins } = matchBlocks(blocksAt(leaves, one), blocksAt(otherLeaves, other), reader)
  const partners = new Int32Array(one.length).fill(-1)
  for (const [order, at] of pairs.toOther.entries()) if (at !== -1) partners[leaves[order] ?? 0] = otherLeaves[at] ?? -1
  pairContainers(one, other, partners)
  const moved = new Set(leaves.filter((at, order) => partners[at] !== -1 && inOrder[order] === 0))
  return { leaves, otherLeaves, pairs, partners, moved, splits, joins }
}

/** A block with the one that belongs to it in the other page; null: it is in one of them alone. */
export interface BlockPair {
  readonly kind: BlockKind
  readonly before: BlockPlace | null
  readonly after: BlockPlace | null
  /** Whether other blocks are in it. */
  readonly isOuter: boolean
  readonly isMoved: boolean
  readonly text: string
}

/** All blocks of both pages by what belongs together: those of the second in its order, then what only the first has. */
export function blockPairs(one: Page, other: Page): readonly BlockPair[] {
  const { partners, moved } = partnersIn(one.blocks, other.blocks, new WordReader())
  const fromOther = new Map([...partners.entries()].map(([at, partner]) => [partner, at]))
  const pair = (block: Block, before: Block | undefined, after: Block | undefined, isMoved: boolean): BlockPair => ({
    kind: block.kind,
    before: before === undefined ? null : placeOf(before),
    after: after === undefined ? null : placeOf(after),
    isOuter: !block.isEmpty,
    isMoved,
    text: shownText(block),
  })
  return [
    ...other.blocks.map((block, at) => {
      const from = fromOther.get(at) ?? -1
      return pair(block, one.blocks[from], block, moved.has(from))
    }),
    ...one.blocks.flatMap((block, at) => (partners[at] === -1 ? pair(block, block, undefined, false) : [])),
  ]
}

const both = (one: Block, other: Block) => ({
  ...none,
  block: other.kind,
  before: shownText(one),
  after: shownText(other),
  from: [placeOf(one)],
  to: [placeOf(other)],
})

const leavesIn = (blocks: readonly Block[]): readonly number[] =>
  [...blocks.keys()].filter((at) => blocks[at]?.isEmpty === true)

const edit = ({ added, removed, addedRanges, removedRanges }: WordChange) => ({
  words: { added, removed },
  addedRanges,
  removedRanges,
})

/** What stands for a block in a list of changes. */
function shownText({ text, pictures, attributes, kind }: Block): string {
  if (text !== '') return text
  if (pictures.length > 0) return pictures.map(({ name }) => name).join(', ')
  return kind === 'embed' ? (attributes.find(({ name }) => /(?:^|\.)(?:src|data)$/.test(name))?.shown ?? '') : ''
}

/** One for each picture where as many are there as before, otherwise one for all that came or went. */
function pictureChanges(
  one: readonly Picture[],
  other: readonly Picture[],
): readonly { readonly before: string | null; readonly after: string | null }[] {
  if (one.length === other.length)
    return one.flatMap((before, order) => {
      const after = other[order]
      return after === undefined || after.identity === before.identity
        ? []
        : [{ before: before.name, after: after.name }]
    })
  const names = (pictures: readonly Picture[], others: readonly Picture[]): string | null => {
    const known = new Set(others.map(({ identity }) => identity))
    return pictures.flatMap(({ identity, name }) => (known.has(identity) ? [] : name)).join(', ') || null
  }
  return [{ before: names(one, other), after: names(other, one) }]
}

/** Attributes of a picture that describe its file. */
const ofFile: ReadonlySet<string> = new Set(['img.width', 'img.height', 'img.sizes', 'source.type', 'source.media'])

/** By name, and those of one name by their order. */
function detailChanges(one: readonly Detail[], other: readonly Detail[], isReplaced: boolean): Change['details'] {
  const left = new Map<string, Detail[]>()
  for (const each of one.toReversed()) {
    const known = left.get(each.name)
    if (known === undefined) left.set(each.name, [each])
    else known.push(each)
  }
  const details: { name: string; before: string | null; after: string | null }[] = []
  for (const { name, identity, shown } of other) {
    const before = left.get(name)?.pop() ?? null
    if (before?.identity !== identity) details.push({ name, before: before?.shown ?? null, after: shown })
  }
  for (const [name, rest] of left)
    for (const { shown } of rest.toReversed()) details.push({ name, before: shown, after: null })
  return isReplaced ? details.filter(({ name }) => !ofFile.has(name)) : details
}

import type { Block, BlockKind, BlockPlace, Page } from './blocks.ts'
import { placeOf } from './blocks.ts'
import { isPlain, pairContainers, wrappersIn } from './containers.ts'
import type { Detail, MediumKind, PageFile, Picture } from './content.ts'
import { mediumKinds } from './content.ts'
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

/** What happened: as for changes, and whether an edited text became much shorter or longer. */
export type FactKind = ChangeKind | 'shortened' | 'lengthened'

/** A part of a block that people have a word for. */
export type NamedPart = MediumKind | 'link' | 'alt'

/** A file of a page, and the one that took its place; null: there is none. */
export interface FilePair {
  readonly before: PageFile | null
  readonly after: PageFile | null
}

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
  /** The files of a replaced picture, and of a block that came or went. */
  readonly files: readonly FilePair[]
  /** What it is said of in place of the block: a file, where links lead, alternative texts. */
  readonly of: NamedPart | null
  /** What happened, as it is said: a picture may be new, and a text much shorter. */
  readonly did: FactKind
}

/** A change before it is known how it is said. `of`: what kind of file was replaced. */
type Found = Omit<Change, 'of' | 'did'> & { readonly of?: MediumKind }

/** Above this share of its words a text became shorter or longer, not only another. */
const muchShare = 0.2

const none = {
  words: { added: 0, removed: 0 },
  removedRanges: [],
  addedRanges: [],
  details: [],
  files: [],
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
  readonly #found: { readonly at: number; readonly change: Found }[] = []

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
    return this.#found.toSorted((one, other) => one.at - other.at).map(({ change }) => said(change))
  }

  #add(at: number, change: Found): void {
    this.#found.push({ at, change })
  }

  #lone(kind: 'inserted' | 'removed', block: Block): Found {
    const words = this.#reader.tokens(block.text).filter(({ isWord }) => isWord).length
    const [shown, place] = [shownText(block), placeOf(block)]
    const of = [...block.pictures, ...block.media].map(asFile)
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
          files: of.map((after) => ({ before: null, after })),
          ...mediumOf(block),
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
          files: of.map((before) => ({ before, after: null })),
          ...mediumOf(block),
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
    const replaced = mediumKinds.flatMap((medium) =>
      filesChanged(filesOf(one, medium), filesOf(other, medium)).map((files) => ({ medium, files })),
    )
    for (const { medium, files } of replaced) {
      const names = (side: 'before' | 'after') => files.flatMap((pair) => pair[side]?.name ?? []).join(', ') || null
      const [before, after] = [names('before'), names('after')]
      this.#add(otherAt, { ...base, kind: 'picture', before, after, of: medium, files })
    }
    const hasReplaced = replaced.some(({ medium }) => medium === 'picture')
    const details = detailChanges(one.attributes, other.attributes, hasReplaced).filter(
      // What a picture says goes with it.
      ({ name, before, after }) =>
        one.pictures.length === other.pictures.length ||
        !name.startsWith('img.') ||
        (before !== null && after !== null),
    )
    if (details.length > 0) this.#add(otherAt, { ...base, kind: 'attribute', details })
    // An equal paragraph that was taken out of a list looks different too.
    const isStyled = hasOtherParts(one, other)
      ? one.textStyle !== other.textStyle
      : one.text === other.text && !hasReplaced
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
function shownText({ text, pictures, media, attributes, kind }: Block): string {
  if (text !== '') return text
  const files = kind === 'embed' ? media : pictures
  if (files.length > 0) return files.map(({ name }) => name).join(', ')
  return kind === 'embed' ? (attributes.find(({ name }) => /(?:^|\.)(?:src|data)$/.test(name))?.shown ?? '') : ''
}

/** Says of what a change is, and what happened. */
function said(change: Found): Change {
  const of = change.of ?? (change.kind === 'attribute' ? attributePart(change) : null)
  return { ...change, of, did: of === null ? didTo(change) : didToParts(change) }
}

/** What people call such attributes, if all of them are of one sort. */
function attributePart({ details }: Found): NamedPart | null {
  const all = (name: RegExp): boolean => details.every((each) => name.test(each.name))
  return all(/^(?:a\.)?href$/) ? 'link' : all(/^(?:img\.)?alt$/) ? 'alt' : null
}

/** The files or attributes of a change that is said of these. */
export const partsIn = ({
  files,
  details,
}: Pick<Change, 'files' | 'details'>): readonly { readonly before: unknown; readonly after: unknown }[] =>
  files.length > 0 ? files : details

function didToParts(change: Found): FactKind {
  if (change.kind !== 'picture' && change.kind !== 'attribute') return change.kind
  const parts = partsIn(change)
  if (parts.every(({ before }) => before === null)) return 'inserted'
  if (parts.every(({ after }) => after === null)) return 'removed'
  return change.kind === 'attribute' ? 'edited' : change.kind
}

function didTo({ kind, words, before }: Found): FactKind {
  if (kind !== 'edited') return kind
  const difference = words.added - words.removed
  const all = Math.max(1, (before ?? '').split(/\s+/).length)
  if (Math.abs(difference) < 3 || Math.abs(difference) < muchShare * all) return 'edited'
  return difference < 0 ? 'shortened' : 'lengthened'
}

const asFile = ({ file, name, alt }: Picture): PageFile => ({ file, name, alt })

const filesOf = ({ pictures, media }: Block, medium: MediumKind): readonly Picture[] => [
  ...(medium === 'picture' ? pictures : []),
  ...media.filter(({ kind }) => kind === medium),
]

/** One for each file where as many are there as before, otherwise one for all that came or went. */
function filesChanged(one: readonly Picture[], other: readonly Picture[]): readonly (readonly FilePair[])[] {
  if (one.length === other.length)
    return one.flatMap((before, order) => {
      const after = other[order]
      return after === undefined || after.identity === before.identity
        ? []
        : [[{ before: asFile(before), after: asFile(after) }]]
    })
  const [gone, come] = [less(one, other).map(asFile), less(other, one).map(asFile)]
  const pairs = Array.from({ length: Math.max(gone.length, come.length) }, (_, order) => ({
    before: gone[order] ?? null,
    after: come[order] ?? null,
  }))
  return [pairs]
}

const linksIn = ({ attributes }: Block): number => attributes.filter(({ name }) => name === 'a.href').length

/** Whether pictures or links came or went. */
const hasOtherParts = (one: Block, other: Block): boolean =>
  one.pictures.length !== other.pictures.length || linksIn(one) !== linksIn(other)

/** Of a block that is nothing but a picture, or that plays something: what that is. */
function mediumOf({ kind, text, pictures, media }: Block): { readonly of?: MediumKind } {
  if (kind === 'figure' && text === '' && pictures.length > 0) return { of: 'picture' }
  const [first] = kind === 'embed' ? media : []
  return first === undefined ? {} : { of: first.kind }
}

/** Attributes of a picture that describe its file. */
const ofFile: ReadonlySet<string> = new Set(['img.width', 'img.height', 'img.sizes', 'source.type', 'source.media'])

/** By name, and those of one name by their order, or by what came or went if there are more or fewer. */
function detailChanges(one: readonly Detail[], other: readonly Detail[], isReplaced: boolean): Change['details'] {
  const [left, right] = [Map.groupBy(one, ({ name }) => name), Map.groupBy(other, ({ name }) => name)]
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((name) => {
    if (isReplaced && ofFile.has(name)) return []
    const [before = [], after = []] = [left.get(name), right.get(name)]
    const [gone, come] = before.length === after.length ? [before, after] : [less(before, after), less(after, before)]
    return Array.from({ length: Math.max(gone.length, come.length) }, (_, order) => order).flatMap((order) => {
      const [from, to] = [gone[order], come[order]]
      return from?.identity === to?.identity ? [] : [{ name, before: from?.shown ?? null, after: to?.shown ?? null }]
    })
  })
}

/** The items of the first list that the second has not, or less often. */
function less<Item extends { readonly identity: string }>(items: readonly Item[], others: readonly Item[]) {
  const left = Map.groupBy(others, ({ identity }) => identity)
  return items.filter(({ identity }) => left.get(identity)?.pop() === undefined)
}

import type { Block, BlockPlace, Page } from './blocks.ts'
import { placeOf } from './blocks.ts'
import { KeptText } from './kept-text.ts'
import type { Matching } from './match.ts'
import { editedMin, lettersAlike, matchBlocks } from './match.ts'
import { following } from './page-tree.ts'
import type { TextRange } from './words.ts'
import { WordReader } from './words.ts'

/** A part of the text of a page, as in the TextQuoteSelector and TextPositionSelector of the W3C. */
export interface TextAnchor {
  readonly kind: 'text'
  readonly exact: string
  /** Up to 32 characters before and behind it. */
  readonly prefix: string
  readonly suffix: string
  /** Where it begins in the texts of all blocks, with a line feed between two: UTF-16 units. */
  readonly start: number
}

/** A part of a picture or of a block, as in the FragmentSelector of the W3C. */
export interface RegionAnchor {
  readonly kind: 'region'
  readonly block: BlockPlace
  /** The number of the picture in its block; null: the block itself. */
  readonly picture: number | null
  readonly region: Region
  /** The file name of the picture, or the beginning of the text. */
  readonly label: string
}
export type Anchor = TextAnchor | RegionAnchor

/** In fractions of the width and height. */
export interface Region {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * `same`: as it was; `moved`: as it was, elsewhere in the page; `changed`: the commented place itself was edited; `lost`:
 * it is gone, or nothing says for sure where it is.
 */
export type AnchorState = 'same' | 'moved' | 'changed' | 'lost'

/** A place in a page: of a text the part of a block's text, in UTF-16 units; otherwise the region of an anchor applies. */
export interface AnchorPlace {
  readonly block: BlockPlace
  /** The text of the block. */
  readonly text: string
  readonly range: TextRange | null
  readonly picture: number | null
}

export interface FoundAnchor {
  readonly state: AnchorState
  /** In the order of the page; empty where it is lost. A text may go over several blocks. */
  readonly places: readonly AnchorPlace[]
}

/** Characters of context that an anchor keeps. */
const contextChars = 32
/** A shorter text that is found elsewhere is there by chance. */
const elsewhereMin = { words: 4, chars: 24 }
/** Words of context that make a short text long enough. */
const widenWords = 4
/** Most of a text that was found elsewhere has to be new there. */
const oldMax = 0.4

const lost: FoundAnchor = { state: 'lost', places: [] }

const leavesOf = ({ blocks }: Page): readonly Block[] => blocks.filter(({ isEmpty }) => isEmpty)

/** A part of the text of one block, which has this number among those without other blocks in them. */
interface Piece {
  readonly leaf: number
  readonly range: TextRange
}

const textOf = (leaves: readonly Block[]): string => leaves.map(({ text }) => text).join('\n')
const collapsed = (text: string): string => text.replace(/\s+/g, ' ')

/** The places of a text in another; white space is equal to any other. Found again from the next character on. */
function* occurrences(text: string, exact: string): Generator<TextRange> {
  const words = exact
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words[0] === '') return
  const pattern = new RegExp(words.join('\\s+'), 'g')
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield [match.index, match.index + match[0].length]
    pattern.lastIndex = match.index + 1
  }
}

/** A context without half a character at its ends. */
const whole = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')

/** A quote as a person gives it: with as much context as it takes to find it. */
export interface Quote {
  readonly exact: string
  readonly prefix: string
  readonly suffix: string
}

/**
 * The anchor of a quote in a page. `ambiguous`: the quote is there more than once, and the context does not decide.
 *
 * @param near Of the places that fit, the one in this block, if there is one
 */
export function anchorOf(
  page: Page,
  { exact, prefix, suffix }: Quote,
  near: BlockPlace['path'] | null = null,
): TextAnchor | 'not_found' | 'ambiguous' {
  const leaves = leavesOf(page)
  const text = textOf(leaves)
  const isBetween = between(text, prefix, suffix)
  const blocks = near === null ? [] : rangesOf(leaves, near)
  const isNear = ([from]: TextRange): boolean => blocks.some(([start, end]) => start <= from && from < end)
  const fits: { readonly near: TextRange[]; readonly all: TextRange[] } = { near: [], all: [] }
  for (const range of occurrences(text, exact)) {
    if (!isBetween(range)) continue
    if (fits.all.length < 2) fits.all.push(range)
    if (isNear(range)) fits.near.push(range)
    if (fits.near.length > 1 || (blocks.length === 0 && fits.all.length > 1)) break
  }
  const [found, another] = fits.near.length > 0 ? fits.near : fits.all
  if (found === undefined) return 'not_found'
  if (another !== undefined) return 'ambiguous'
  const [from, to] = found
  return {
    kind: 'text',
    exact: text.slice(from, to),
    prefix: whole(text.slice(Math.max(0, from - contextChars), from)),
    suffix: whole(text.slice(to, to + contextChars)),
    start: from,
  }
}

/** Whether a range of a text is between two others. Looks a little further than they are long, as white space does not count. */
function between(text: string, prefix: string, suffix: string): (range: TextRange) => boolean {
  const [before, behind] = [collapsed(prefix).trim(), collapsed(suffix).trim()]
  const reach = (context: string): number => 2 * context.length + 100
  return ([from, to]) =>
    (before === '' ||
      collapsed(text.slice(Math.max(0, from - reach(before)), from))
        .trimEnd()
        .endsWith(before)) &&
    (behind === '' ||
      collapsed(text.slice(to, to + reach(behind)))
        .trimStart()
        .startsWith(behind))
}

/** Where the texts of the innermost blocks around an element are in the text of the page. */
function rangesOf(leaves: readonly Block[], path: BlockPlace['path']): readonly TextRange[] {
  let ranges: TextRange[] = []
  let depth = 0
  let start = 0
  for (const leaf of leaves) {
    const { path: outer } = placeOf(leaf)
    if (outer.length >= depth && isAround(outer, path)) {
      if (outer.length > depth) ranges = []
      depth = outer.length
      ranges.push([start, start + leaf.text.length])
    }
    start += leaf.text.length + 1
  }
  return ranges
}

const isAround = (outer: BlockPlace['path'], inner: BlockPlace['path']): boolean =>
  outer.every((at, depth) => inner[depth] === at)

/** The innermost block around an element. */
function leafAround(page: Page, path: BlockPlace['path']): Block | undefined {
  const around = leavesOf(page).filter((leaf) => {
    const { path: outer, run } = placeOf(leaf)
    const at = path[outer.length]
    return isAround(outer, path) && (run === null || at === undefined || (run.from <= at && at < run.to))
  })
  return around.toSorted((one, other) => placeOf(other).path.length - placeOf(one).path.length)[0]
}

/** The anchor of a region of an element: of the picture that it is, otherwise of the block around it. Null where there is none. */
export function elementAnchorOf(page: Page, path: BlockPlace['path'], region: Region): RegionAnchor | null {
  const leaf = leafAround(page, path)
  if (leaf === undefined) return null
  const block = placeOf(leaf)
  return regionOf(page, block, pictureAt(leaf, path), region)
}

/** A part of a page, to be found again by each of its blocks. */
export interface PagePart {
  readonly blocks: readonly BlockPlace[]
  /** The beginning of its text. */
  readonly label: string
}

/** The innermost block around an element. Null where there is none. */
export function partAround(page: Page, path: BlockPlace['path']): PagePart | null {
  const leaf = leafAround(page, path)
  return leaf === undefined ? null : partOf([leaf])
}

/** Blocks, and all that is in those that are containers. Null where there is nothing. */
export function partWithin(page: Page, places: readonly BlockPlace[]): PagePart | null {
  const leaves = leavesOf(page).filter((leaf) =>
    places.some((place) => isAt(leaf, place) || (place.run === null && isAround(place.path, placeOf(leaf).path))),
  )
  return leaves.length === 0 ? null : partOf(leaves)
}

const partOf = (leaves: readonly Block[]): PagePart => {
  const named = leaves.find(({ text }) => text !== '') ?? leaves[0]
  return { blocks: leaves.map(placeOf), label: labelOf(named) }
}

const labelOf = (leaf: Block | undefined): string => whole((leaf?.text || leaf?.pictures[0]?.name || '').slice(0, 80))

/** The number that the picture at a path has in its block; null if there is none. */
function pictureAt({ element, run }: Block, path: BlockPlace['path']): number | null {
  let number = 0
  for (let node = element.first; node !== null;) {
    const isPicture = node.name === 'img' || node.name === 'svg'
    const own = isPicture ? placeOf({ element: node, run: null }).path : []
    const at = own[placeOf({ element, run }).path.length] ?? 0
    if (isPicture && (run === null || (run.from <= at && at < run.to))) {
      if (own.join() === path.join()) return number
      number += 1
    }
    node = following(node, element, node.name !== 'svg')
  }
  return null
}

/** The anchor of a region of a picture or block; null where there is none. */
export function regionOf(page: Page, block: BlockPlace, picture: number | null, region: Region): RegionAnchor | null {
  const leaf = leavesOf(page).find((each) => isAt(each, block))
  if (leaf === undefined) return null
  const label = picture === null ? leaf.text.slice(0, 80) : leaf.pictures[picture]?.name
  return label === undefined ? null : { kind: 'region', block, picture, region, label: whole(label) }
}

const isAt = (leaf: Block, { path, run }: BlockPlace): boolean => {
  const place = placeOf(leaf)
  return place.path.join() === path.join() && place.run?.from === run?.from && place.run?.to === run?.to
}

/** A range of the text of a page as parts of its blocks. */
function piecesOf(leaves: readonly Block[], [from, to]: TextRange): readonly Piece[] {
  const pieces: Piece[] = []
  let start = 0
  for (const [leaf, { text }] of leaves.entries()) {
    const range: TextRange = [Math.max(0, from - start), Math.min(text.length, to - start)]
    if (range[0] < range[1]) pieces.push({ leaf, range })
    start += text.length + 1
    if (start > to) break
  }
  return pieces
}

/** Where a piece went. */
interface Carried {
  readonly state: AnchorState
  readonly pieces: readonly Piece[]
}
const nowhere: Carried = { state: 'lost', pieces: [] }

/**
 * Finds the places of one page again in another, by the blocks that belong together. Never guesses: what is not sure is
 * lost.
 */
export class AnchorFinder {
  readonly #one: readonly Block[]
  readonly #other: readonly Block[]
  readonly #matching: Matching
  readonly #reader = new WordReader()

  constructor(one: Page, other: Page) {
    this.#one = leavesOf(one)
    this.#other = leavesOf(other)
    this.#matching = matchBlocks(this.#one, this.#other, this.#reader)
  }

  find(anchor: Anchor): FoundAnchor {
    return anchor.kind === 'text' ? this.#text(anchor) : this.#region(anchor)
  }

  #text(anchor: TextAnchor): FoundAnchor {
    const from = this.#startOf(anchor)
    if (from === null) return lost
    const pieces = piecesOf(this.#one, [from, from + anchor.exact.length])
    const carried = pieces.map((piece) => this.#piece(piece))
    const all = carried.flatMap((each) => each.pieces)
    const length = (list: readonly Piece[]): number => list.reduce((sum, { range }) => sum + range[1] - range[0], 0)
    const kept = pieces.filter((_, order) => carried[order]?.state !== 'lost')
    if (kept.length === 0 || length(kept) < length(pieces) / 2) return lost
    return { state: this.#stateOf(carried, all), places: all.map((piece) => this.#placeOf(piece)) }
  }

  /** Where the quote begins in its own page: at its position, else where it fits once. */
  #startOf(anchor: TextAnchor): number | null {
    const { start, exact } = anchor
    const text = textOf(this.#one)
    if (text.startsWith(exact, start)) return start
    const [found, another] = [...occurrences(text, exact)].filter(
      ([from, to]) => text.slice(0, from).endsWith(anchor.prefix) && text.startsWith(anchor.suffix, to),
    )
    return found === undefined || another !== undefined ? null : found[0]
  }

  #stateOf(carried: readonly Carried[], pieces: readonly Piece[]): AnchorState {
    const states = new Set(carried.map(({ state }) => state))
    if (states.has('changed') || states.has('lost')) return 'changed'
    // A text over several blocks changed where one came between, or where they changed places.
    const isWhole = pieces.every(({ leaf }, order) => {
      const previous = pieces[order - 1]?.leaf ?? leaf
      return leaf >= previous && this.#other.slice(previous + 1, leaf).every(({ text }) => text === '')
    })
    if (!isWhole) return 'changed'
    return states.has('moved') ? 'moved' : 'same'
  }

  #placeOf({ leaf, range }: Piece): AnchorPlace {
    const block = this.#other[leaf]
    const place = block === undefined ? { path: [], run: null } : placeOf(block)
    return { block: place, text: block?.text ?? '', range, picture: null }
  }

  #piece(piece: Piece): Carried {
    const { leaf, range } = piece
    const group = this.#groupOf(leaf)
    if (group === null) return this.#elsewhere(piece)
    const [before, after] = [joined(this.#one, group.one), joined(this.#other, group.other)]
    const isMoved = group.one.length + group.other.length === 2 && this.#matching.inOrder[leaf] === 0
    if ((isMoved && this.#hasLookalike(leaf)) || !this.#isTold(leaf, group.other[0] ?? -1)) return nowhere
    const shift =
      joined(this.#one, group.one.slice(0, group.one.indexOf(leaf))).length + (group.one[0] === leaf ? 0 : 1)
    const kept = new KeptText(before, after, this.#reader)
    const found =
      before === after || this.#isSure(leaf, group.other[0] ?? -1, kept.share)
        ? kept.rangeOf([range[0] + shift, range[1] + shift])
        : null
    if (found === null) return this.#elsewhere(piece)
    const pieces = piecesOf(
      group.other.flatMap((each) => this.#other[each] ?? []),
      found.range,
    )
    const isCut = pieces.length > 1
    const state = found.isSame && !isCut ? (isMoved ? 'moved' : 'same') : 'changed'
    return { state, pieces: pieces.map((each) => ({ ...each, leaf: group.other[each.leaf] ?? -1 })) }
  }

  /** The blocks of both pages that a block belongs to: a pair, or those of a split or joined text. */
  #groupOf(leaf: number): { readonly one: readonly number[]; readonly other: readonly number[] } | null {
    const { pairs, splits, joins } = this.#matching
    const partner = pairs.toOther[leaf] ?? -1
    if (partner !== -1) return { one: [leaf], other: [partner] }
    const split = splits.find(({ whole }) => whole === leaf)
    if (split !== undefined) return { one: [leaf], other: split.parts }
    const join = joins.find(({ parts }) => parts.includes(leaf))
    return join === undefined ? null : { one: join.parts, other: [join.whole] }
  }

  #groupOfOther(leaf: number): { readonly one: readonly number[]; readonly other: readonly number[] } | null {
    const { pairs, splits, joins } = this.#matching
    const partner = pairs.toOne[leaf] ?? -1
    const one =
      partner === -1
        ? (splits.find(({ parts }) => parts.includes(leaf))?.whole ??
          joins.find(({ whole }) => whole === leaf)?.parts[0] ??
          -1)
        : partner
    return one === -1 ? null : this.#groupOf(one)
  }

  /** Whether two blocks at one place are the same text, or only keep the same place. */
  #isSure(at: number, otherAt: number, share: number): boolean {
    const [one, other] = [this.#one[at], this.#other[otherAt]]
    if (share >= editedMin || one === undefined || other === undefined) return share >= editedMin
    if (lettersAlike(one.text, other.text) > 0) return true
    const known = new Set(one.pictures.map(({ identity }) => identity))
    if (other.pictures.some(({ identity }) => known.has(identity))) return true
    // A cell is the same if another one of its row is.
    return (
      one.kind === 'cell' &&
      this.#one.some((cell, leaf) => {
        const partner = this.#other[this.#matching.pairs.toOther[leaf] ?? -1]
        const isBeside = leaf !== at && cell.parent === one.parent && partner?.parent === other.parent
        return isBeside && cell.text === partner.text && /\p{L}/u.test(cell.text)
      })
    )
  }

  /** Whether a text that is more than once in a page is told from its equals, by what is beside it in both pages. */
  #isTold(at: number, otherAt: number): boolean {
    const text = this.#one[at]?.text
    const [equals, otherEquals] = [this.#one, this.#other].map(
      (blocks) => blocks.filter((block) => block.text === text).length,
    )
    if ((equals ?? 0) < 2 && (otherEquals ?? 0) < 2) return true
    const { toOther } = this.#matching.pairs
    const isBeside = (step: 1 | -1): boolean =>
      (toOther[at + step] === otherAt + step && this.#one[at + step]?.text === this.#other[otherAt + step]?.text) ||
      (step === -1 && at + otherAt === 0) ||
      (step === 1 && at + 1 === this.#one.length && otherAt + 1 === this.#other.length)
    const isEqual = (step: 1 | -1): boolean =>
      this.#one[at + step]?.text === text || this.#other[otherAt + step]?.text === text
    if ((isEqual(-1) || isEqual(1)) && equals !== otherEquals) return false
    return isBeside(-1) && isBeside(1)
  }

  /** Whether a block that moved left a similar one at its place, so that one may be a copy and the other an edit. */
  #hasLookalike(leaf: number): boolean {
    const { pairs, inOrder } = this.#matching
    const isFixed = (at: number): boolean => pairs.toOther[at] !== -1 && inOrder[at] === 1
    let [from, to] = [leaf - 1, leaf + 1]
    while (from >= 0 && !isFixed(from)) from -= 1
    while (to < this.#one.length && !isFixed(to)) to += 1
    const first = from < 0 ? 0 : (pairs.toOther[from] ?? 0) + 1
    const end = to >= this.#one.length ? this.#other.length : (pairs.toOther[to] ?? 0)
    const text = this.#one[leaf]?.text ?? ''
    return this.#other
      .slice(first, end)
      .some(
        (block, order) =>
          pairs.toOne[first + order] === -1 && new KeptText(text, block.text, this.#reader).share >= editedMin,
      )
  }

  /** A text that was taken from its block and is now once in the new text of another page, word for word. */
  #elsewhere({ leaf, range }: Piece): Carried {
    const text = this.#one[leaf]?.text ?? ''
    const [from, to] = this.#widened(text, range)
    const wanted = text.slice(from, to)
    if (!isLong(wanted, this.#reader)) return nowhere
    const count = (blocks: readonly Block[]): readonly Piece[] =>
      blocks.flatMap((block, at) => [...occurrences(block.text, wanted)].map((range) => ({ leaf: at, range })))
    const [found, another] = count(this.#other)
    if (found === undefined || another !== undefined || count(this.#one).length !== 1) return nowhere
    if (this.#other[found.leaf]?.text.slice(...found.range) !== wanted) return nowhere
    const group = this.#groupOfOther(found.leaf)
    if (group !== null) {
      const kept = new KeptText(joined(this.#one, group.one), joined(this.#other, group.other), this.#reader)
      const before = group.other.slice(0, group.other.indexOf(found.leaf))
      const shift = joined(this.#other, before).length + (before.length === 0 ? 0 : 1)
      if (kept.oldShareOf([found.range[0] + shift, found.range[1] + shift]) > oldMax) return nowhere
    }
    const start = found.range[0] + range[0] - from
    return { state: 'moved', pieces: [{ leaf: found.leaf, range: [start, start + range[1] - range[0]] }] }
  }

  /** A short range with some words around it. */
  #widened(text: string, [from, to]: TextRange): TextRange {
    if (isLong(text.slice(from, to), this.#reader)) return [from, to]
    const tokens = this.#reader.tokens(text)
    const start = tokens.filter((token) => token.to <= from).at(-widenWords)?.from ?? 0
    const end = tokens.filter((token) => token.from >= to).at(widenWords - 1)?.to ?? text.length
    return [Math.min(start, from), Math.max(end, to)]
  }

  #region({ block, picture }: RegionAnchor): FoundAnchor {
    const leaf = this.#one.findIndex((each) => isAt(each, block))
    const one = this.#one[leaf]
    if (one === undefined) return lost
    const partner = this.#matching.pairs.toOther[leaf] ?? -1
    const other = this.#other[partner]
    const at = (other: Block, picture: number | null, state: AnchorState): FoundAnchor => ({
      state,
      places: [{ block: placeOf(other), text: other.text, range: null, picture }],
    })
    const stayed = this.#matching.inOrder[leaf] === 1 ? 'same' : 'moved'
    if (picture === null) {
      if (other === undefined) return lost
      const isSame = one.text === other.text && identities(one).join() === identities(other).join()
      const isSure = isSame || this.#isSure(leaf, partner, new KeptText(one.text, other.text, this.#reader).share)
      return isSure ? at(other, null, isSame ? stayed : 'changed') : lost
    }
    const identity = identities(one)[picture]
    if (identity === undefined) return lost
    const inPartner = other === undefined ? -1 : identities(other).indexOf(identity)
    if (other !== undefined && inPartner !== -1) return at(other, inPartner, stayed)
    const elsewhere = this.#other.filter((each) => identities(each).includes(identity))
    const isOnly = this.#one.filter((each) => identities(each).includes(identity)).length === 1
    const [only] = elsewhere
    if (only !== undefined)
      return isOnly && elsewhere.length === 1 ? at(only, identities(only).indexOf(identity), 'moved') : lost
    return other !== undefined && other.pictures.length === one.pictures.length ? at(other, picture, 'changed') : lost
  }
}

const identities = ({ pictures }: Block): readonly string[] => pictures.map(({ identity }) => identity)
const joined = (blocks: readonly Block[], leaves: readonly number[]): string =>
  textOf(leaves.flatMap((leaf) => blocks[leaf] ?? []))

function isLong(text: string, reader: WordReader): boolean {
  const words = reader.tokens(text).filter(({ isWord }) => isWord).length
  return words >= elsewhereMin.words || (words > 1 && text.length >= elsewhereMin.chars)
}

/** Finds anchors of several pages in one; pages that are not there any more have lost theirs. */
export function findAnchors(
  anchors: readonly { readonly page: Page | null; readonly anchor: Anchor }[],
  target: Page,
): readonly FoundAnchor[] {
  const finders = new Map<Page, AnchorFinder>()
  return anchors.map(({ page, anchor }) => {
    if (page === null) return lost
    const finder = finders.get(page) ?? new AnchorFinder(page, target)
    finders.set(page, finder)
    return finder.find(anchor)
  })
}

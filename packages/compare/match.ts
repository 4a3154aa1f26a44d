import type { Gap } from './alignment.ts'
import { Alignment, bestPairs } from './alignment.ts'
import type { Block } from './blocks.ts'
import { splitsIn } from './splits.ts'
import type { WordReader, Words } from './words.ts'
import { commonTokens, shareOf, WordNumbers } from './words.ts'

/** Blocks that belong together, by their numbers in the lists. */
export interface Matching {
  readonly pairs: Alignment
  /** By number in the first list: 1 for pairs that stayed in order; the others moved. */
  readonly inOrder: Uint8Array
  readonly splits: readonly Parts[]
  readonly joins: readonly Parts[]
}

/** A block of one page, and those of the other that its text is in. */
export interface Parts {
  readonly whole: number
  readonly parts: readonly number[]
}

/** Two texts at the same place that share less are a removed and an inserted one. */
export const editedMin = 0.4
/** The same for texts at different places. */
const movedMin = 0.75
/**
 * A text of fewer words that is found elsewhere is not the same text: "Read more", "12". In a list or as a heading, it is,
 * where nothing else has it.
 */
const movedMinWords = 3
const isName = ({ kind, text }: Block): boolean => (kind === 'list_item' || kind === 'heading') && text !== ''
/** Cells of the tables for the best pairs in gaps, in all. Beyond, words that only two blocks have decide. */
const cellsMax = 150_000
const gapCellsMax = 40_000

interface Item {
  readonly block: Block
  readonly key: number
  /** The same for blocks that look the same but for style and attributes. */
  readonly content: number
}

const keyOf = (item: Item | undefined): number => item?.key ?? -1
const contentIn = (item: Item | undefined): number => item?.content ?? -1

/**
 * Matches the blocks of two pages that contain no other blocks as a person would. Takes linear time for equal blocks, and
 * a limited time for all others: in pages that differ nearly everywhere, blocks without a rare word count as removed and
 * inserted, and no splits are found.
 */
export function matchBlocks(one: readonly Block[], other: readonly Block[], reader: WordReader): Matching {
  return new Matcher(one, other, reader).match()
}

class Matcher {
  readonly #one: readonly Item[]
  readonly #other: readonly Item[]
  readonly #pairs: Alignment
  readonly #numbers: WordNumbers
  readonly #words = new Map<Block, Words>()
  #cellsLeft = cellsMax
  #splitCellsLeft = cellsMax

  constructor(one: readonly Block[], other: readonly Block[], reader: WordReader) {
    const [keys, contents] = [new Map<string, number>(), new Map<string, number>()]
    const items = (blocks: readonly Block[]): readonly Item[] =>
      blocks.map((block) => ({ block, key: numberIn(keys, block.key), content: numberIn(contents, contentOf(block)) }))
    this.#one = items(one)
    this.#other = items(other)
    this.#pairs = new Alignment(one.length, other.length)
    this.#numbers = new WordNumbers(reader)
  }

  match(): Matching {
    this.#ends()
    for (const by of [keyOf, contentIn]) {
      this.#unique(by)
      this.#neighbours(by, this.#pairs.inOrder())
      for (const gap of this.#pairs.gaps()) this.#equalIn(gap, by)
    }
    this.#neighbours(contentIn, null)
    this.#partChance()
    const gaps = this.#pairs.gaps()
    const splits = gaps.flatMap((gap) => this.#splitsIn(gap, this.#one, this.#other))
    const splitBlocks = { whole: new Set(splits.map(({ whole }) => whole)), parts: partsOf(splits) }
    const joins = gaps.flatMap(({ one, other }) =>
      this.#splitsIn(
        {
          one: other.filter((each) => !splitBlocks.parts.has(each)),
          other: one.filter((each) => !splitBlocks.whole.has(each)),
        },
        this.#other,
        this.#one,
      ),
    )
    const taken = {
      one: new Set([...splitBlocks.whole, ...partsOf(joins)]),
      other: new Set([...splitBlocks.parts, ...joins.map(({ whole }) => whole)]),
    }
    const left = (gap: Gap): Gap => ({
      one: gap.one.filter((each) => !taken.one.has(each)),
      other: gap.other.filter((each) => !taken.other.has(each)),
    })
    for (const gap of gaps) this.#editedIn(left(gap), 0)
    this.#movedIn(left(this.#free()))
    return { pairs: this.#pairs, inOrder: this.#pairs.inOrder(), splits, joins }
  }

  /** The equal blocks at the beginning and the end of both pages. */
  #ends(): void {
    const [one, other] = [this.#one, this.#other]
    const most = Math.min(one.length, other.length)
    let start = 0
    for (; start < most && one[start]?.key === other[start]?.key; start += 1) this.#pairs.pair(start, start)
    for (let end = 1; end <= most - start && one.at(-end)?.key === other.at(-end)?.key; end += 1)
      this.#pairs.pair(one.length - end, other.length - end)
  }

  #free(): Gap {
    const free = (partners: Int32Array): readonly number[] => [...partners.keys()].filter((at) => partners[at] === -1)
    return { one: free(this.#pairs.toOther), other: free(this.#pairs.toOne) }
  }

  /** Blocks that are once in each page, of those without a partner. */
  #unique(of: (item: Item | undefined) => number): void {
    const { one, other } = this.#free()
    const places = onlyPlaces(other, (at) => of(this.#other[at]))
    for (const [key, at] of onlyPlaces(one, (at) => of(this.#one[at]))) {
      const otherAt = places.get(key) ?? -1
      if (at !== -1 && otherAt !== -1 && !isBlank(this.#one[at]?.block)) this.#pairs.pair(at, otherAt)
    }
  }

  /**
   * Equal blocks right behind and right before a pair; null: before and behind any. Those of moved blocks come last, as a
   * repeated block beside them belongs to what stayed.
   */
  #neighbours(of: (item: Item | undefined) => number, inOrder: Uint8Array | null): void {
    const extend = (at: number, step: 1 | -1): void => {
      const partner = this.#pairs.toOther[at] ?? -1
      const [next, otherNext] = [at + step, partner + step]
      const [item, otherItem] = [this.#one[next], this.#other[otherNext]]
      if (
        partner === -1 ||
        inOrder?.[at] === 0 ||
        item === undefined ||
        otherItem === undefined ||
        of(item) !== of(otherItem)
      )
        return
      if (!this.#pairs.areFree(next, otherNext)) return
      this.#pairs.pair(next, otherNext)
      inOrder?.fill(1, next, next + 1)
    }
    for (let at = 0; at < this.#one.length; at += 1) extend(at, 1)
    for (let at = this.#one.length - 1; at >= 0; at -= 1) extend(at, -1)
  }

  /** Short texts that are equal elsewhere by chance, such as numbers in cells, unless a longer neighbour is there too. */
  #partChance(): void {
    const { toOther } = this.#pairs
    const inOrder = this.#pairs.inOrder()
    const isShort = (at: number): boolean => {
      const block = this.#one[at]?.block
      return block === undefined || (block.pictures.length === 0 && block.text.length < 100 && this.#isShort(block))
    }
    const anchored = new Uint8Array(toOther.length)
    const carry = (at: number, step: 1 | -1): void => {
      const isNeighbour = anchored[at - step] === 1 && toOther[at - step] === (toOther[at] ?? 0) - step
      if (toOther[at] !== -1 && (inOrder[at] === 1 || isNeighbour || !isShort(at))) anchored[at] = 1
    }
    for (let at = 0; at < toOther.length; at += 1) carry(at, 1)
    for (let at = toOther.length - 1; at >= 0; at -= 1) carry(at, -1)
    for (const [at, isAnchored] of anchored.entries()) if (isAnchored === 0) this.#pairs.part(at)
  }

  #isShort = (block: Block): boolean => this.#wordsOf(block).inOrder.length < movedMinWords

  /** Equal blocks of a gap that are more than once in a page. */
  #equalIn({ one, other }: Gap, of: (item: Item | undefined) => number): void {
    const kept = commonTokens(
      one.map((at) => of(this.#one[at])),
      other.map((at) => of(this.#other[at])),
    )
    const others = other.filter((_, order) => kept.other[order] === 1)
    for (const [order, at] of one.filter((_, order) => kept.one[order] === 1).entries())
      this.#pairs.pair(at, others[order] ?? 0)
  }

  #splitsIn({ one, other }: Gap, wholes: readonly Item[], parts: readonly Item[]): readonly Parts[] {
    const cells = one.length * other.length
    if (other.length < 2 || cells > Math.min(gapCellsMax, this.#splitCellsLeft)) return []
    this.#splitCellsLeft -= cells
    const words = (items: readonly Item[]) => (at: number) => this.#wordsOf(items[at]?.block ?? null)
    return splitsIn(one, other, words(wholes), words(parts))
  }

  /** Pairs of blocks at the same place that changed. */
  #editedIn(gap: Gap, depth: number): void {
    const { one, other } = gap
    const cells = one.length * other.length
    if (cells === 0) return
    if (cells > Math.min(gapCellsMax, this.#cellsLeft)) {
      const inside = depth < 3 ? this.#rareIn(gap, editedMin) : null
      if (inside !== null) for (const each of inside) this.#editedIn(each, depth + 1)
      return
    }
    this.#cellsLeft -= cells
    for (const [at, otherAt] of bestPairs(gap, (at, otherAt) => this.#score(at, otherAt))) this.#pairs.pair(at, otherAt)
  }

  /** How well two blocks at the same place fit, 0 if they do not. */
  #score(at: number, otherAt: number): number {
    const [one, other] = [this.#one[at]?.block, this.#other[otherAt]?.block]
    if (one === undefined || other === undefined) return 0
    const isSameKind = one.kind === other.kind
    const alike = this.#alike(one, other)
    if (alike >= editedMin) return isSameKind ? alike + 0.1 : alike
    // These keep their place, whatever is in them.
    if (isSameKind && (one.kind === 'cell' || one.kind === 'embed')) return 0.05 + alike / 10
    if (isSameKind && one.kind === 'container') return one.element.name === other.element.name ? 0.05 : 0
    return arePictures(one, other) ? 0.3 + alike / 10 : 0
  }

  /** The share of words and pictures that stay. */
  #alike(one: Block, other: Block): number {
    const [words, otherWords] = [this.#wordsOf(one), this.#wordsOf(other)]
    const known = new Set(one.pictures.map(({ identity }) => identity))
    const shared = other.pictures.filter(({ identity }) => known.has(identity)).length
    // A picture counts like a line of words, so that one with a new caption stays the same.
    const pictures = 10 * (one.pictures.length + other.pictures.length)
    const all = words.inOrder.length + otherWords.inOrder.length
    if (all + pictures === 0) return 0
    const share = (shareOf(words, otherWords) * all + 20 * shared) / (all + pictures)
    const isShort = Math.min(words.inOrder.length, otherWords.inOrder.length) <= movedMinWords && pictures === 0
    return isShort ? Math.max(share, lettersAlike(one.text, other.text)) : share
  }

  /** Pairs by words that are once in both sides of a large gap, and the smaller gaps between them; null without pairs. */
  #rareIn({ one, other }: Gap, min: number): readonly Gap[] | null {
    const found = new Alignment(one.length, other.length)
    for (const [at, otherAt] of this.#byRareWords({ one, other }, min)) found.pair(at, otherAt)
    const inOrder = found.inOrder()
    let pairs = 0
    for (const [order, isKept] of inOrder.entries()) {
      const partner = found.toOther[order] ?? -1
      if (isKept === 1) {
        this.#pairs.pair(one[order] ?? 0, other[partner] ?? 0)
        pairs += 1
      } else found.part(order)
    }
    if (pairs === 0) return null
    return found
      .gaps()
      .map((gap) => ({ one: gap.one.map((each) => one[each] ?? 0), other: gap.other.map((each) => other[each] ?? 0) }))
  }

  /** For each block the one on the other side with which it shares most of the words that each side has once. */
  *#byRareWords({ one, other }: Gap, min: number): Generator<readonly [order: number, otherOrder: number]> {
    const rareIn = (items: readonly Item[], ats: readonly number[]): ReadonlyMap<number, number> => {
      const places = new Map<number, number>()
      for (const [order, at] of ats.entries())
        for (const word of new Set(this.#wordsOf(items[at]?.block ?? null).inOrder))
          places.set(word, places.has(word) ? -1 : order)
      return places
    }
    const otherPlaces = rareIn(this.#other, other)
    const votes = new Map<number, Map<number, number>>()
    for (const [word, order] of rareIn(this.#one, one)) {
      const otherOrder = otherPlaces.get(word) ?? -1
      if (order === -1 || otherOrder === -1) continue
      const counts = votes.get(order) ?? new Map<number, number>()
      counts.set(otherOrder, (counts.get(otherOrder) ?? 0) + 1)
      votes.set(order, counts)
    }
    const taken = new Set<number>()
    for (const [order, counts] of votes) {
      let [best, most] = [-1, 0]
      for (const [otherOrder, count] of counts) if (count > most) [best, most] = [otherOrder, count]
      const [block, otherBlock] = [this.#one[one[order] ?? -1]?.block, this.#other[other[best] ?? -1]?.block]
      if (taken.has(best) || block === undefined || otherBlock === undefined) continue
      if (this.#alike(block, otherBlock) < min) continue
      taken.add(best)
      yield [order, best]
    }
  }

  /** Blocks that are found elsewhere, some of them with changes. */
  #movedIn({ one, other }: Gap): void {
    const places = new Map<number, number[]>()
    for (const at of other.toReversed()) {
      const content = this.#other[at]?.content ?? -1
      const known = places.get(content)
      if (known === undefined) places.set(content, [at])
      else known.push(at)
    }
    const only = onlyPlaces(one, (at) => this.#one[at]?.content ?? -1)
    for (const at of one) {
      const item = this.#one[at]
      const found = item && places.get(item.content)
      if (item === undefined || found === undefined) continue
      const isOnly = found.length === 1 && only.get(item.content) === at && isName(item.block)
      if (!isOnly && item.block.pictures.length === 0 && this.#isShort(item.block)) continue
      const otherAt = found.pop()
      if (otherAt !== undefined) this.#pairs.pair(at, otherAt)
    }
    const left = {
      one: one.filter((at) => this.#pairs.toOther[at] === -1),
      other: other.filter((at) => this.#pairs.toOne[at] === -1),
    }
    for (const [order, otherOrder] of this.#byRareWords(left, movedMin)) {
      const [at, otherAt] = [left.one[order] ?? 0, left.other[otherOrder] ?? 0]
      const block = this.#one[at]?.block
      if (block !== undefined && !this.#isShort(block)) this.#pairs.pair(at, otherAt)
    }
  }

  #wordsOf(block: Block | null): Words {
    if (block === null) return noWords
    const known = this.#words.get(block)
    if (known !== undefined) return known
    const words = this.#numbers.wordsOf(block.text)
    this.#words.set(block, words)
    return words
  }
}

const noWords: Words = { inOrder: new Int32Array(), sorted: new Int32Array() }

const partsOf = (all: readonly Parts[]): ReadonlySet<number> => new Set(all.flatMap(({ parts }) => parts))

const numberIn = (numbers: Map<string, number>, text: string): number => {
  const number = numbers.get(text) ?? numbers.size
  numbers.set(text, number)
  return number
}

/** Blocks of different kinds are the same where they look the same. */
const contentOf = ({ kind, text, pictures, media, attributes, element }: Block): string =>
  text === '' && pictures.length === 0
    ? `${kind} ${element.name} ${kind === 'embed' ? JSON.stringify([...media, ...attributes].map(({ identity }) => identity)) : ''}`
    : JSON.stringify([text, pictures.map(({ identity }) => identity)])

const isBlank = (block: Block | undefined): boolean =>
  block === undefined || (block.text === '' && block.pictures.length === 0 && block.kind !== 'embed')

/** By key, the place of what is there once; -1 for what is there more often. */
function onlyPlaces(places: readonly number[], keyOf: (at: number) => number): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const at of places) {
    const key = keyOf(at)
    found.set(key, found.has(key) ? -1 : at)
  }
  return found
}

const arePictures = (one: Block, other: Block): boolean => one.pictures.length > 0 && other.pictures.length > 0

/** The share of pairs of letters that stay, for short texts: of one word, no word stays if a letter changes. */
export function lettersAlike(one: string, other: string): number {
  if (one.length < 2 || other.length < 2 || one.length + other.length > 200) return 0
  const counts = new Map<string, number>()
  for (let at = 1; at < one.length; at += 1) {
    const pair = one.slice(at - 1, at + 1).toLowerCase()
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  let shared = 0
  for (let at = 1; at < other.length; at += 1) {
    const pair = other.slice(at - 1, at + 1).toLowerCase()
    const count = counts.get(pair) ?? 0
    if (count > 0) shared += 1
    counts.set(pair, count - 1)
  }
  const share = (2 * shared) / (one.length + other.length - 2)
  return share >= 0.6 ? share : 0
}

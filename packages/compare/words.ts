/** A word of a text, or a sign between words: `[from, to)` in UTF-16 units. White space is not among them. */
interface Token {
  readonly from: number
  readonly to: number
  readonly isWord: boolean
}

/** The same on every computer, whatever its language. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Above this the words of a text are what white space separates: the segmenter takes a second for some millions. */
const segmentedMaxChars = 1_000_000

/** Most edits of a text. The time grows with their square, so that of one comparison is limited too. */
const editsMax = 500
const editsSquaredMax = 20_000_000
const editsAtLeast = 20

/** Tells the words of texts apart, up to a limit of characters and of edits for one comparison. */
export class WordReader {
  #left = segmentedMaxChars
  #editsLeft = editsSquaredMax

  /** How many edits of the next text are told apart. */
  get editsMax(): number {
    return this.#editsLeft > 0 ? editsMax : editsAtLeast
  }

  spend(edits: number): void {
    this.#editsLeft -= edits ** 2
  }

  tokens(text: string): readonly Token[] {
    if (text === '') return []
    this.#left -= text.length
    if (this.#left < 0)
      return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
        from: index,
        to: index + word.length,
        isWord: true,
      }))
    const tokens: Token[] = []
    for (const { segment, index, isWordLike = false } of segmenter.segment(text))
      if (isWordLike || segment.trim() !== '')
        tokens.push({ from: index, to: index + segment.length, isWord: isWordLike })
    return tokens
  }
}

/** The words of a text as numbers, equal for words that differ in case only. */
export interface Words {
  readonly inOrder: Int32Array
  readonly sorted: Int32Array
}

/** Numbers words, so that comparing texts compares numbers. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #reader: WordReader

  constructor(reader: WordReader) {
    this.#reader = reader
  }

  wordsOf(text: string): Words {
    const tokens = this.#reader.tokens(text)
    // A text of signs alone is compared by these.
    const hasWords = tokens.some(({ isWord }) => isWord)
    const inOrder = Int32Array.from(
      tokens.filter(({ isWord }) => isWord || !hasWords),
      ({ from, to }) => this.#number(text.slice(from, to).toLowerCase()),
    )
    return { inOrder, sorted: inOrder.toSorted() }
  }

  #number(word: string): number {
    const number = this.#numbers.get(word) ?? this.#numbers.size
    this.#numbers.set(word, number)
    return number
  }
}

/** How many words two texts share, each as often as both have it. */
export function sharedWords(one: Int32Array, other: Int32Array): number {
  let shared = 0
  for (let at = 0, otherAt = 0; at < one.length && otherAt < other.length;) {
    const difference = (one[at] ?? 0) - (other[otherAt] ?? 0)
    if (difference === 0) shared += 1
    if (difference <= 0) at += 1
    if (difference >= 0) otherAt += 1
  }
  return shared
}

/** The share of words that stay, from 0 to 1. */
export const shareOf = ({ sorted: one }: Words, { sorted: other }: Words): number =>
  one.length + other.length === 0 ? 0 : (2 * sharedWords(one, other)) / (one.length + other.length)

/** `[from, to)` of a text, in UTF-16 units. */
export type TextRange = readonly [from: number, to: number]

/** What was taken from a text and what was added to it. */
export interface WordChange {
  readonly added: number
  readonly removed: number
  readonly removedRanges: readonly TextRange[]
  readonly addedRanges: readonly TextRange[]
}

/** Words and signs that differ in two texts. Above 500 edits in a text, all between the first and the last is one. */
export function wordChange(before: string, after: string, reader: WordReader): WordChange {
  const [one, other] = [reader.tokens(before), reader.tokens(after)]
  const same = commonTokens(
    one.map(({ from, to }) => before.slice(from, to)),
    other.map(({ from, to }) => after.slice(from, to)),
    reader.editsMax,
  )
  reader.spend(same.edits)
  const [removed, added] = [without(one, same.one), without(other, same.other)]
  return {
    added: added.words,
    removed: removed.words,
    removedRanges: removed.ranges,
    addedRanges: added.ranges,
  }
}

/** The tokens that did not stay; neighbours are one range. */
function without(
  tokens: readonly Token[],
  stayed: Uint8Array,
): { readonly words: number; readonly ranges: readonly TextRange[] } {
  const ranges: [number, number][] = []
  let words = 0
  let isOpen = false
  for (const [order, { from, to, isWord }] of tokens.entries()) {
    if (stayed[order] === 1) {
      isOpen = false
      continue
    }
    if (isWord) words += 1
    const last = ranges.at(-1)
    if (isOpen && last !== undefined) last[1] = to
    else ranges.push([from, to])
    isOpen = true
  }
  return { words, ranges }
}

/**
 * Which items of two lists are in a longest common part: 1 for each that is. With more than `most` edits, those at both
 * ends. After Myers (1986).
 */
export function commonTokens(
  one: readonly (string | number)[],
  other: readonly (string | number)[],
  most = editsMax,
): { readonly one: Uint8Array; readonly other: Uint8Array; readonly edits: number } {
  const kept = { one: new Uint8Array(one.length), other: new Uint8Array(other.length) }
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1
  let end = 0
  const shorter = Math.min(one.length, other.length) - start
  while (end < shorter && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  kept.one.fill(1, 0, start).fill(1, one.length - end)
  kept.other.fill(1, 0, start).fill(1, other.length - end)
  const [length, otherLength] = [one.length - end - start, other.length - end - start]
  const trace: Int32Array[] = []
  const reached = new Int32Array(2 * most + 3)
  const middle = most + 1
  for (let edits = 0; edits <= Math.min(most, length + otherLength); edits += 1) {
    trace.push(reached.slice(middle - edits - 1, middle + edits + 2))
    for (let line = -edits; line <= edits; line += 2) {
      let at = stepTo(reached, middle, line, edits)
      while (at < length && at - line < otherLength && one[start + at] === other[start + at - line]) at += 1
      reached[middle + line] = at
      if (at >= length && at - line >= otherLength) {
        walkBack(trace, { at: length, otherAt: otherLength }, (at, otherAt) => {
          kept.one[start + at] = 1
          kept.other[start + otherAt] = 1
        })
        return { ...kept, edits }
      }
    }
  }
  return { ...kept, edits: most }
}

/** How far in the first list a line begins with one more edit: from the line below or above, whichever is further. */
const stepTo = (reached: Int32Array, middle: number, line: number, edits: number): number => {
  const [below, above] = [reached[middle + line - 1] ?? 0, reached[middle + line + 1] ?? 0]
  return line === -edits || (line !== edits && below < above) ? above : below + 1
}

function walkBack(
  trace: readonly Int32Array[],
  end: { readonly at: number; readonly otherAt: number },
  keep: (at: number, otherAt: number) => void,
): void {
  let { at, otherAt } = end
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reached = trace[edits] ?? new Int32Array()
    const middle = edits + 1
    const line = at - otherAt
    const [below, above] = [reached[middle + line - 1] ?? 0, reached[middle + line + 1] ?? 0]
    const isFromAbove = line === -edits || (line !== edits && below < above)
    const from = isFromAbove ? above : below
    const fromLine = isFromAbove ? line + 1 : line - 1
    const begin = edits === 0 ? 0 : isFromAbove ? from : from + 1
    while (at > begin && otherAt > begin - line) {
      at -= 1
      otherAt -= 1
      keep(at, otherAt)
    }
    at = from
    otherAt = from - fromLine
  }
}

import type { TextRange, WordReader } from './words.ts'
import { commonTokens } from './words.ts'

/** `before[from, to)` is also in the other text, at `at`. */
interface Kept {
  readonly from: number
  readonly to: number
  readonly at: number
}

const isLowSurrogate = (text: string, at: number): boolean => /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))
const isCut = (text: string, at: number): boolean => at > 0 && at < text.length && isLowSurrogate(text, at)

/** A replaced text may be this much longer than what was there, before it is no longer said to be in its place. */
const replacedMax = { times: 3, chars: 40 }
/** A place in a text is the same if so much of it stayed, or if all of it was replaced and little beside it. */
const keptMin = 0.5
const replacedMin = 0.8

/** What stayed from one text to another, to carry places over. */
export class KeptText {
  readonly #before: string
  readonly #after: string
  /** In order, beginning and end included as empty ones: words that stayed, and the same with the characters around them. */
  readonly #words: readonly Kept[]
  readonly #chars: readonly Kept[]
  /** How much of both texts stayed, in words: 0 to 1. */
  readonly share: number

  constructor(before: string, after: string, reader: WordReader) {
    this.#before = before
    this.#after = after
    const [one, other] = [reader.tokens(before), reader.tokens(after)]
    const common = commonTokens(
      one.map(({ from, to }) => before.slice(from, to)),
      other.map(({ from, to }) => after.slice(from, to)),
      reader.editsMax,
    )
    reader.spend(common.edits)
    const stayed = other.filter((_, order) => common.other[order] === 1)
    const words = one
      .filter((_, order) => common.one[order] === 1)
      .map(({ from, to }, order) => ({ from, to, at: stayed[order]?.from ?? 0 }))
    this.share = one.length + other.length === 0 ? 1 : (2 * words.length) / (one.length + other.length)
    this.#words = [{ from: 0, to: 0, at: 0 }, ...words, { from: before.length, to: before.length, at: after.length }]
    this.#chars = this.#grown()
  }

  /** Each part with the equal characters behind it, then with those before it. */
  #grown(): readonly Kept[] {
    const [before, after] = [this.#before, this.#after]
    const grown: { from: number; to: number; at: number }[] = []
    for (const { from, to, at } of this.#words) {
      const last = grown.at(-1)
      const part = { from, to, at }
      if (last !== undefined) {
        let end = last.at + last.to - last.from
        while (last.to < from && end < at && before[last.to] === after[end]) {
          last.to += 1
          end += 1
        }
        if (isCut(before, last.to) || isCut(after, end)) last.to -= 1
        end = last.at + last.to - last.from
        while (part.from > last.to && part.at > end && before[part.from - 1] === after[part.at - 1]) {
          part.from -= 1
          part.at -= 1
        }
        if (isCut(before, part.from) || isCut(after, part.at)) {
          part.from += 1
          part.at += 1
        }
      }
      if (last?.to === part.from && last.at + last.to - last.from === part.at) last.to = part.to
      else grown.push(part)
    }
    return grown
  }

  /** Where a range is in the other text, and whether it is as it was there; null where it is gone. */
  rangeOf([from, to]: TextRange): { readonly range: TextRange; readonly isSame: boolean } | null {
    if (this.#isDeleted(from, to)) return null
    const exact: TextRange = [startIn(this.#chars, from), endIn(this.#chars, to)]
    if (this.#after.slice(...exact) === this.#before.slice(from, to)) return { range: exact, isSame: true }
    const length = to - from
    const inside = this.#words.filter((part) => part.from < to && part.to > from)
    const stayed = inside.reduce((sum, part) => sum + Math.min(part.to, to) - Math.max(part.from, from), 0)
    const letters = this.#before.slice(from, to).replace(/\s/g, '').length
    if (stayed < keptMin * letters) return this.#replaced(from, to)
    const range: TextRange = [startIn(this.#words, from), endIn(this.#words, to)]
    const [first, last] = [inside[0], inside.at(-1)]
    // More came beside it than it has itself: then only what stayed is its place.
    if (range[1] - range[0] > length + Math.max(2 * length, 80) && first !== undefined && last !== undefined)
      return { range: [first.at, last.at + last.to - last.from], isSame: false }
    return { range, isSame: false }
  }

  /** Whether a text that was only taken out may have been this one: where texts repeat, it began sooner or later. */
  #isDeleted(from: number, to: number): boolean {
    const before = this.#before
    return this.#chars.some((part, order) => {
      const next = this.#chars[order + 1]
      if (next === undefined || part.at + part.to - part.from !== next.at) return false
      let [first, last] = [part.to, part.to]
      const length = next.from - part.to
      while (first > part.from && before[first - 1] === before[first - 1 + length]) first -= 1
      while (last + length < next.to && before[last] === before[last + length]) last += 1
      return Math.max(first, to - length) <= Math.min(last, from)
    })
  }

  /** A range of which nearly nothing stayed, if nearly all between the words around it was this range. */
  #replaced(from: number, to: number): { readonly range: TextRange; readonly isSame: false } | null {
    const previous = this.#words.findLast((part) => part.to <= from)
    const next = this.#words.find((part) => part.from >= to)
    if (previous === undefined || next === undefined) return null
    const [old, place] = [
      this.#before.slice(previous.to, next.from),
      this.#after.slice(previous.at + previous.to - previous.from, next.at),
    ]
    const [length, now] = [to - from, place.trim().length]
    if (now === 0 || length < replacedMin * old.trim().length) return null
    if (now > replacedMax.times * length + replacedMax.chars) return null
    const start = next.at - place.trimStart().length
    return { range: [start, start + now], isSame: false }
  }

  /** How much of a range of the other text came from this one, in characters: 0 to 1. */
  oldShareOf([from, to]: TextRange): number {
    const old = this.#words.reduce((sum, part) => {
      const end = part.at + part.to - part.from
      return sum + Math.max(0, Math.min(end, to) - Math.max(part.at, from))
    }, 0)
    return to === from ? 1 : old / (to - from)
  }
}

/** Where a range that begins at `at` begins in the other text; with what replaced its beginning, if that is gone. */
function startIn(parts: readonly Kept[], at: number): number {
  const inside = parts.find((part) => part.from <= at && at < part.to)
  if (inside !== undefined) return inside.at + at - inside.from
  const previous = parts.findLast((part) => part.to <= at)
  return previous === undefined ? 0 : previous.at + previous.to - previous.from
}

function endIn(parts: readonly Kept[], at: number): number {
  const inside = parts.find((part) => part.from < at && at <= part.to)
  if (inside !== undefined) return inside.at + at - inside.from
  return parts.find((part) => part.from >= at)?.at ?? 0
}

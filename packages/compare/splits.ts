import type { Words } from './words.ts'
import { sharedWords } from './words.ts'

/** How much of a text its parts have to share with it together, and each of them with its place in it. */
const wholeMin = 0.9
const partMin = 0.75
/** A shorter text that is in several others is there by chance. */
const wholeMinWords = 4

/**
 * Blocks whose text is in two or more neighbours on the other side, in its order. Blocks without words between these do not
 * count, and few others. Joined blocks are found with the sides exchanged.
 */
export function splitsIn(
  wholes: readonly number[],
  candidates: readonly number[],
  wholeWords: (whole: number) => Words,
  partWords: (part: number) => Words,
): readonly { readonly whole: number; readonly parts: readonly number[] }[] {
  const found: { whole: number; parts: readonly number[] }[] = []
  const texts = candidates.filter((each) => partWords(each).inOrder.length > 0)
  let from = 0
  for (const whole of wholes) {
    const { inOrder } = wholeWords(whole)
    if (inOrder.length < wholeMinWords) continue
    for (let start = from; start < texts.length - 1; start += 1) {
      const parts = partsFrom(texts, start, inOrder, partWords)
      if (parts === null) continue
      found.push({ whole, parts: parts.map((order) => texts[order] ?? -1) })
      from = (parts.at(-1) ?? start) + 1
      break
    }
  }
  return found
}

/** How many other texts may be between the parts, as where one was inserted with the cut. */
const othersMax = 2

/** The texts from `start` on that make the whole together, by their order, or null. */
function partsFrom(
  texts: readonly number[],
  start: number,
  whole: Int32Array,
  wordsOf: (part: number) => Words,
): readonly number[] | null {
  const parts: number[] = []
  const sortedWhole = whole.toSorted()
  let [length, others, best] = [0, 0, 0]
  let found: readonly number[] | null = null
  const shareOfAll = (all: readonly Int32Array[]): number => {
    const words = Int32Array.from(all.flatMap((each) => [...each])).toSorted()
    return (2 * sharedWords(words, sortedWhole)) / (words.length + whole.length)
  }
  for (let order = start; order < texts.length; order += 1) {
    const { sorted } = wordsOf(texts[order] ?? -1)
    // Where it was in the whole, give or take the words that were added or removed before.
    const slack = 1 + Math.ceil(whole.length * 0.05)
    const place = whole.slice(Math.max(0, length - slack), length + sorted.length + slack).toSorted()
    const stayed = sharedWords(sorted, place)
    if (stayed < partMin * sorted.length) {
      others += 1
      if (parts.length === 0 || others > othersMax) break
      continue
    }
    parts.push(order)
    length += sorted.length
    if (length > whole.length * 1.2 + 1) break
    const share = shareOfAll(parts.map((part) => wordsOf(texts[part] ?? -1).sorted))
    // One part alone may share more: then it is the edited whole, and the others have some of its words by chance.
    if (parts.length > 1 && share >= wholeMin && share > best) found = [...parts]
    best = Math.max(best, share)
  }
  return found
}
